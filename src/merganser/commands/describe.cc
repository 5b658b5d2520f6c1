#include "merganser/commands/describe.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/table_properties_view.h"
#include "merganser/commands/target_table.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

constexpr const char* kDefault = "CURRENT_DEFAULT";

using Rows = std::vector<std::vector<CommandCell>>;

StructType ColumnListSchema() {
  return StructType({{"col_name", DataType::String(), false, {}},
                     {"data_type", DataType::String(), false, {}},
                     {"comment", DataType::String(), true, {}}});
}

std::vector<CommandCell> ColumnRow(const StructField& field) {
  const std::string comment = MetadataText(field, "comment");
  return {field.name, field.type.CatalogString(),
          comment.empty() ? CommandCell() : CommandCell(comment)};
}

/// What a table or view is, whatever its format.
struct TableFacts {
  std::vector<std::string> name;
  StructType schema;
  std::vector<std::string> partition_columns;
  std::optional<CatalogTable> table;  ///< Nullopt for a view.
  std::optional<CatalogView> view;
  SnapshotRef snapshot;  ///< Null unless the table is Delta.
};

Result<TableFacts> FindFacts(Analyzer& analyzer, const plan::MultipartName& name) {
  TableFacts facts;
  MERGANSER_ASSIGN_OR_RETURN(facts.name, analyzer.NameParts(name));
  MERGANSER_ASSIGN_OR_RETURN(CatalogEntry entry, analyzer.FindTable(name));
  if (auto* view = std::get_if<CatalogView>(&entry)) facts.view = std::move(*view);
  if (auto* table = std::get_if<CatalogTable>(&entry)) facts.table = std::move(*table);
  if (facts.table && facts.table->is_delta()) {
    MERGANSER_ASSIGN_OR_RETURN(facts.snapshot, SnapshotToChange(analyzer, *facts.table, name));
    facts.schema = facts.snapshot->schema();
    facts.partition_columns = facts.snapshot->partition_columns();
    return facts;
  }
  MERGANSER_ASSIGN_OR_RETURN(
      const AnalyzedRelation relation,
      analyzer.BindRelation(plan::MakeRelation(plan::TableReference{name, std::nullopt, {}})));
  facts.schema = SchemaOf(*relation.relation);
  if (facts.table) facts.partition_columns = facts.table->entry.partition_columns;
  return facts;
}

void AddPartitions(const TableFacts& facts, Rows& rows) {
  if (facts.partition_columns.empty()) return;
  rows.push_back({"# Partition Information", "", ""});
  rows.push_back({"# col_name", "data_type", "comment"});
  for (const std::string& column : facts.partition_columns) {
    if (const StructField* field = facts.schema.Find(column)) rows.push_back(ColumnRow(*field));
  }
}

void AddTableDetails(const TableFacts& facts, Rows& rows) {
  const auto add = [&](const char* name, std::string value) {
    rows.push_back({name, std::move(value), ""});
  };
  add("", "");
  add("# Detailed Table Information", "");
  const CatalogTable& table = *facts.table;
  if (table.identifier) {
    add("Catalog", std::string(kSparkCatalog));
    if (facts.snapshot != nullptr) add("Namespace", table.identifier->schema);
    add("Database", table.identifier->schema);
    add("Table", table.identifier->table);
  } else {
    add("Name", facts.table->provider + "." + QuotedIdentifier(table.location.path));
  }
  add("Type", table.managed ? "MANAGED" : "EXTERNAL");
  const bool has_comment = facts.snapshot != nullptr && facts.snapshot->metadata().description;
  if (has_comment) add("Comment", *facts.snapshot->metadata().description);
  add("Location", table.location.uri);
  add("Provider", table.provider);
  if (facts.snapshot == nullptr) return;
  if (table.managed) add("Is_managed_location", "true");
  std::string properties;
  for (const auto& [key, value] : ShownProperties(*facts.snapshot)) {
    properties += (properties.empty() ? "" : ",") + key + "=" + value;
  }
  add("Table Properties", "[" + properties + "]");
  for (const StructField& field : facts.schema) {
    const std::string text = MetadataText(field, kDefault);
    if (text.empty()) continue;
    add("", "");
    add("# Column Default Values", "");
    rows.push_back({field.name, field.type.CatalogString(), text});
  }
}

void AddViewDetails(const TableFacts& facts, Rows& rows) {
  if (facts.view->temporary) return;
  const auto add = [&](const char* name, std::string value) {
    rows.push_back({name, std::move(value), ""});
  };
  add("", "");
  add("# Detailed Table Information", "");
  add("Catalog", std::string(kSparkCatalog));
  add("Table", facts.view->name);
  add("Type", "VIEW");
  if (facts.view->entry.comment) add("Comment", *facts.view->entry.comment);
  add("View Text", facts.view->text);
  add("View Original Text", facts.view->text);
  add("View Schema Mode", std::string(plan::ToText(facts.view->entry.view_schema_mode)));
  add("View Catalog and Namespace", std::string(kSparkCatalog) + "." + facts.view->schema);
}

Result<ResultSet> DescribeColumn(StatementContext& context, Analyzer& analyzer,
                                 const plan::DescribeTable& command, const TableFacts& facts) {
  MERGANSER_ASSIGN_OR_RETURN(const AnalyzedRelation relation,
                             analyzer.BindRelation(plan::MakeRelation(
                                 plan::TableReference{command.name, std::nullopt, {}})));
  MERGANSER_ASSIGN_OR_RETURN(const auto column,
                             analyzer.FindColumn(command.column, relation.scope));
  if (column == nullptr) return analyzer.UnresolvedColumn(command.column, relation.scope, {});
  const auto* reference = column->As<BoundColumnRef>();
  const StructField* field = reference == nullptr ? nullptr : facts.schema.Find(reference->name);
  if (field == nullptr) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"columnName", QuotedIdentifier(command.column)}}, "DESC_TABLE_COLUMN_JSON");
  }
  const std::string comment = MetadataText(*field, "comment");
  return CommandResult(context,
                       StructType({{"info_name", DataType::String(), false, {}},
                                   {"info_value", DataType::String(), false, {}}}),
                       {{"col_name", field->name},
                        {"data_type", field->type.CatalogString()},
                        {"comment", comment.empty() ? "NULL" : comment}});
}

}  // namespace

Result<ResultSet> RunDescribeTable(StatementContext& context, const plan::DescribeTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TableFacts facts, FindFacts(*analyzer, command.name));
  if (!command.column.empty()) return DescribeColumn(context, *analyzer, command, facts);
  Rows rows;
  for (const StructField& field : facts.schema) rows.push_back(ColumnRow(field));
  AddPartitions(facts, rows);
  if (command.extended && facts.table) AddTableDetails(facts, rows);
  if (command.extended && facts.view) AddViewDetails(facts, rows);
  return CommandResult(context, ColumnListSchema(), rows);
}

Result<ResultSet> RunDescribeQuery(StatementContext& context, const plan::DescribeQuery& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer->BindQuery(command.query));
  Rows rows;
  for (const StructField& field : SchemaOf(*query)) rows.push_back(ColumnRow(field));
  return CommandResult(context, ColumnListSchema(), rows);
}

}  // namespace merganser
