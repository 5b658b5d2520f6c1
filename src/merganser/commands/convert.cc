#include "merganser/commands/convert.h"

#include <algorithm>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/foreign_files.h"
#include "merganser/commands/table_definition.h"
#include "merganser/delta/transaction/iceberg_compat.h"

namespace merganser {
namespace {

constexpr const char* kCollectStatistics = "spark.databricks.delta.stats.collect";

std::string Shown(const StructType& schema) { return DataType::Struct(schema).CatalogString(); }

/// The table that `name` stands for. Unlike other statements, this one takes paths of another
/// format.
Result<CatalogTable> FindTable(StatementContext& context, Analyzer& analyzer,
                               const plan::ConvertToDelta& command) {
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer.NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.Find(name));
  if (!entry) {
    if (name.size() == 1 && name[0].starts_with('/')) {
      return Error(ErrorClass::DELTA_MISSING_PROVIDER_FOR_CONVERT, {{"path", name[0]}});
    }
    auto found = analyzer.FindTable(command.name);
    return found.ok() ? Error::Internal("A table appeared while it was looked up")
                      : std::move(found).error();
  }
  if (std::holds_alternative<CatalogView>(*entry)) {
    return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED_DETAIL,
                 {{"operation", "Converting a view to a Delta table"},
                  {"tableName", QuotedIdentifier(name)}});
  }
  return std::get<CatalogTable>(*entry);
}

/// The partition columns: those that the statement names, else the catalogue's.
Result<StructType> FindPartitions(const plan::ConvertToDelta& command, const CatalogTable& table) {
  StructType given;
  for (const plan::ColumnDefinition& column : command.partition_by) {
    given.Add({column.name.back(), column.type, true, {}});
  }
  StructType recorded;
  if (table.identifier && table.entry.schema) {
    for (const std::string& name : table.entry.partition_columns) {
      if (const StructField* field = table.entry.schema->Find(name)) recorded.Add(*field);
    }
  }
  if (!table.identifier) return given;
  const bool differs = !given.empty() && Shown(given) != Shown(recorded);
  if (differs) {
    return Error(
        ErrorClass::DELTA_UNEXPECTED_PARTITION_SCHEMA_FROM_USER,
        {{"catalogPartitionSchema", Shown(recorded)}, {"userPartitionSchema", Shown(given)}});
  }
  return recorded;
}

/// From now on the catalogue knows the table as a Delta table.
Status Record(StatementContext& context, const CatalogTable& table) {
  if (!table.identifier) return Status::Ok();
  WarehouseEntry entry;
  entry.provider = "delta";
  entry.location = table.location.uri;
  entry.managed = table.managed;
  return context.catalog.warehouse().Add(*table.identifier, entry, /*replace=*/true);
}

/// Columns go by the names that the files have.
Status CheckMappingDefault(const SessionConf& conf) {
  const std::string key = "spark.databricks.delta.properties.defaults.columnMapping.mode";
  const TableProperties defaults({{"delta.columnMapping.mode", conf.Find(key).value_or("none")}});
  const ColumnMappingMode mode = defaults.column_mapping_mode();
  if (mode == ColumnMappingMode::kNone) return Status::Ok();
  return Error(ErrorClass::DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING,
               {{"config", key}, {"mode", std::string(ToString(mode))}});
}

/// Nor are they mapped for the sake of Iceberg compatibility.
Status CheckNotMapped(StringMap configuration) {
  configuration.erase("delta.columnMapping.mode");
  return CheckIcebergProperties(TableProperties(std::move(configuration)));
}

Status Convert(StatementContext& context, const plan::ConvertToDelta& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const CatalogTable table, FindTable(context, *analyzer, command));
  if (table.is_delta()) return Status::Ok();
  if (table.provider != "parquet") {
    MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
    return Error(ErrorClass::DELTA_CONVERT_NON_PARQUET_TABLE,
                 {{"sourceName", table.provider}, {"tableId", QuotedIdentifier(name)}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef existing,
                             context.catalog.snapshots().Latest(table.location));
  if (existing != nullptr) {
    return Record(context, table);
  }
  MERGANSER_RETURN_IF_ERROR(CheckMappingDefault(context.conf));
  MERGANSER_ASSIGN_OR_RETURN(const StructType partitions, FindPartitions(command, table));
  MERGANSER_ASSIGN_OR_RETURN(ForeignTable files,
                             ReadForeignTable(context, table.location, partitions));

  TableWish wish;
  wish.schema = files.schema;
  wish.partition_by = files.partition_columns;
  MERGANSER_ASSIGN_OR_RETURN(TableDefinition definition,
                             DefineTable(context, *analyzer, std::move(wish)));
  MERGANSER_RETURN_IF_ERROR(CheckNotMapped(definition.metadata.configuration));
  const bool collects = !command.no_statistics && context.conf.GetBoolean(kCollectStatistics);
  if (collects) {
    MERGANSER_RETURN_IF_ERROR(
        CollectFileStatistics(context, table.location, definition.metadata.configuration, files));
  }

  TransactionOptions options = context.transaction_options();
  options.is_bulk_commit = true;
  Transaction transaction =
      Transaction::Create(table.location, context.catalog.snapshots().codec(), std::move(options));
  transaction.SetProtocol(std::move(definition.protocol));
  transaction.SetMetadata(std::move(definition.metadata));
  Operation operation;
  operation.name = "CONVERT";
  operation.parameters["numFiles"] = std::to_string(files.files.size());
  std::vector<std::string> given;
  for (const plan::ColumnDefinition& column : command.partition_by)
    given.push_back(column.name.back());
  operation.Encoded("partitionedBy", JsonList(given))
      .Boolean("collectStats", collects)
      .Text("sourceFormat", "parquet")
      .Metric("numConvertedFiles", static_cast<int64_t>(files.files.size()));
  if (table.identifier) operation.Text("catalogTable", table.identifier->Quoted());
  for (AddFile& file : files.files) transaction.Add(std::move(file));
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return std::move(committed).error();
  return Record(context, table);
}

}  // namespace

Result<ResultSet> RunConvert(StatementContext& context, const plan::ConvertToDelta& command) {
  MERGANSER_RETURN_IF_ERROR(Convert(context, command));
  if (!command.from_builder) return ResultSet();
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> name,
                             context.MakeAnalyzer()->NameParts(command.name));
  if (TableCatalog::IsPathName(name)) name[0] = "delta";
  return CommandResult(context, ConvertedSchema(), {{QuotedIfNeeded(name)}});
}

StructType ConvertedSchema() { return StructType({{"value", DataType::String(), true, {}}}); }

}  // namespace merganser
