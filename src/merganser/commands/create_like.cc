#include "merganser/commands/create_like.h"

#include <optional>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/create_table.h"
#include "merganser/commands/file_tables.h"
#include "merganser/commands/table_definition.h"
#include "merganser/commands/table_destination.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/spark/analysis/clause_values.h"

namespace merganser {
namespace {

/// What a new table takes from the one it is to be like.
struct Model {
  StructType schema;
  std::vector<std::string> partition_columns;
  StringMap properties;
  std::optional<std::string> comment;
  std::vector<std::string> features;
  std::string provider;
};

Result<Model> FindModel(StatementContext& context, Analyzer& analyzer,
                        const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(name));
  Model model;
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table != nullptr && table->is_delta()) {
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot, analyzer.SnapshotOf(*table, name));
    model.schema = snapshot->schema();
    model.partition_columns = snapshot->partition_columns();
    model.properties = snapshot->metadata().configuration;
    // These belong to the one table; the new one gets its own.
    for (const char* key :
         {"delta.columnMapping.maxColumnId", "delta.rowTracking.materializedRowIdColumnName",
          "delta.rowTracking.materializedRowCommitVersionColumnName"}) {
      model.properties.erase(key);
    }
    model.comment = snapshot->metadata().description;
    model.features = SupportedFeatures(snapshot->protocol());
    model.provider = "delta";
    return model;
  }
  model.provider = table == nullptr ? context.conf.default_source() : table->provider;
  if (table != nullptr && table->entry.schema) {
    model.schema = *table->entry.schema;
    model.partition_columns = table->entry.partition_columns;
    return model;
  }
  MERGANSER_ASSIGN_OR_RETURN(
      const AnalyzedRelation relation,
      analyzer.BindRelation(plan::MakeRelation(plan::TableReference{name, std::nullopt, {}})));
  for (const BoundColumn& column : relation.relation->columns) {
    model.schema.Add({column.name, column.type, column.nullable, {}});
  }
  return model;
}

Status CreateDelta(StatementContext& context, Analyzer& analyzer,
                   const plan::CreateTableLike& command, Model model,
                   const TableDestination& destination) {
  MERGANSER_RETURN_IF_ERROR(CheckLocationIsEmpty(destination));
  TableWish wish;
  wish.schema = std::move(model.schema);
  wish.partition_by = std::move(model.partition_columns);
  for (const auto& [key, value] : command.properties) model.properties[key] = value;
  wish.properties = {model.properties.begin(), model.properties.end()};
  wish.comment = std::move(model.comment);
  wish.features = std::move(model.features);
  MERGANSER_ASSIGN_OR_RETURN(TableDefinition table,
                             DefineTable(context, analyzer, std::move(wish)));
  Operation operation =
      DescribeTableCreation("CREATE TABLE", destination.managed, table.metadata, table.clustering);
  Transaction transaction = Transaction::Create(
      destination.location, context.catalog.snapshots().codec(), context.transaction_options());
  transaction.SetProtocol(std::move(table.protocol));
  transaction.SetMetadata(std::move(table.metadata));
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return Status(std::move(committed).error());
  return RecordTable(context, destination, /*replace=*/false);
}

/// The statement that would make such a table of files.
plan::CreateTable AsCreateTable(const plan::CreateTableLike& command, const Model& model,
                                const std::string& provider) {
  plan::CreateTable create;
  create.name = command.name;
  for (const StructField& field : model.schema) {
    plan::ColumnDefinition column;
    column.name = {field.name};
    column.type = DeclaredType(field);
    if (std::string comment = MetadataText(field, "comment"); !comment.empty())
      column.comment = std::move(comment);
    create.columns.push_back(std::move(column));
  }
  for (const std::string& column : model.partition_columns) create.partition_by.push_back({column});
  create.provider = provider;
  create.location = command.location;
  create.properties = command.properties;
  return create;
}

}  // namespace

Result<ResultSet> RunCreateTableLike(StatementContext& context,
                                     const plan::CreateTableLike& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(Model model, FindModel(context, *analyzer, command.source));
  MERGANSER_ASSIGN_OR_RETURN(const TableDestination destination,
                             FindDestination(context, name, command.location));
  if (destination.is_taken()) {
    if (command.if_not_exists) return ResultSet();
    return TableExists(destination);
  }
  const std::string provider = AsciiLowerCase(command.provider.value_or(model.provider));
  if (provider != "delta") {
    return CreateFileTable(context, *analyzer, AsCreateTable(command, model, provider), provider,
                           destination);
  }
  MERGANSER_RETURN_IF_ERROR(
      CreateDelta(context, *analyzer, command, std::move(model), destination));
  return ResultSet();
}

}  // namespace merganser
