#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/delta/log/text_checkpoint_codec.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/catalog/table_catalog.h"
#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/parser.h"

namespace merganser::test {

/// Analyses SQL over a warehouse of empty Delta tables, without an engine. The tables are
/// t(g STRING, a INT, b INT, s STRUCT<x: INT, y: STRING>, arr ARRAY<STRUCT<p: INT>>, m MAP<STRING,
/// INT>) and u(k INT, a INT, z STRING).
class QueryAnalysis {
 public:
  QueryAnalysis() {
    root_ = std::filesystem::temp_directory_path() /
            ("merganser_analysis_" + std::to_string(reinterpret_cast<uintptr_t>(this)));
    std::filesystem::create_directories(root_);
    warehouse_ = Warehouse::Open(root_.string(), *systems_).value();
    catalog_ = std::make_unique<TableCatalog>(warehouse_, systems_, snapshots_);
    AddTable("t",
             "g STRING, a INT, b INT, s STRUCT<x: INT, y: STRING>, arr ARRAY<STRUCT<p: INT>>, m "
             "MAP<STRING, INT>");
    AddTable("u", "k INT, a INT, z STRING");
  }
  ~QueryAnalysis() { std::filesystem::remove_all(root_); }
  QueryAnalysis(const QueryAnalysis&) = delete;
  QueryAnalysis& operator=(const QueryAnalysis&) = delete;

  TableCatalog& catalog() { return *catalog_; }
  StatementParameters& parameters() { return parameters_; }
  TypingContext& typing() { return typing_; }

  /// A table with one commit, which has no files.
  void AddTable(const std::string& name, const std::string& columns) {
    const std::filesystem::path log = root_ / name / "_delta_log";
    std::filesystem::create_directories(log);
    const Json metadata = Json::MakeObject(
        {{"id", Json(name)},
         {"format",
          Json::MakeObject({{"provider", Json("parquet")}, {"options", Json::MakeObject()}})},
         {"schemaString", Json(ToSchemaJson(ParseTableSchema(columns).value()))},
         {"partitionColumns", Json::MakeArray()},
         {"configuration", Json::MakeObject()}});
    std::ofstream(log / "00000000000000000000.json")
        << R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})" << "\n"
        << Json::MakeObject({{"metaData", metadata}}).Dump() << "\n";
  }

  /// A temporary view.
  void AddView(const std::string& name, const std::string& sql) {
    CatalogView view;
    view.name = name;
    view.text = sql;
    catalog_->PutView(std::move(view));
  }

  Result<BoundRelationPtr> Bind(const std::string& sql) {
    auto statement = ParseStatement(sql);
    if (!statement.ok()) return std::move(statement).error();
    return Bind(*statement->query());
  }

  Result<BoundRelationPtr> Bind(const plan::RelationPtr& query) {
    Analyzer analyzer(*catalog_, typing_, {}, parameters_);
    return analyzer.BindQuery(query);
  }

  /// Result columns as "name type", "!" behind those that are never NULL; or the error as
  /// "CLASS.SUBCLASS".
  std::string Columns(const std::string& sql) { return Columns(Bind(sql)); }

  std::string Columns(const Result<BoundRelationPtr>& bound) {
    if (!bound.ok()) return bound.error().full_name();
    std::string text;
    for (const BoundColumn& column : (*bound)->columns) {
      text += (text.empty() ? "" : ", ") + column.name + " " + column.type.CatalogString() +
              (column.nullable ? "" : "!");
    }
    return text;
  }

  /// The error's class, a parameter and the fragment of the text that it is about; "ok" if there is
  /// no error.
  std::string Failure(const std::string& sql, const std::string& parameter = {}) {
    const auto bound = Bind(sql);
    if (bound.ok()) return "ok";
    const Error& error = bound.error();
    std::string text = error.full_name();
    if (!parameter.empty()) {
      const auto value = error.parameters().find(parameter);
      text += " " + (value == error.parameters().end() ? std::string("-") : value->second);
    }
    if (error.context()) text += " at '" + error.context()->fragment + "'";
    return text;
  }

 private:
  std::filesystem::path root_;
  std::shared_ptr<FileSystems> systems_ = std::make_shared<FileSystems>();
  std::shared_ptr<Warehouse> warehouse_;
  std::shared_ptr<SnapshotCache> snapshots_ =
      std::make_shared<SnapshotCache>(std::make_shared<TextCheckpointCodec>());
  std::unique_ptr<TableCatalog> catalog_;
  StatementParameters parameters_;
  TypingContext typing_;
};

}  // namespace merganser::test
