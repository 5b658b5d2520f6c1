#include "merganser/commands/create_table.h"

#include <optional>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/file_tables.h"
#include "merganser/commands/table_definition.h"
#include "merganser/commands/table_destination.h"
#include "merganser/commands/table_writer.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/catalog/data_source_name.h"

namespace merganser {
namespace {

std::vector<std::string> QuotedPaths(const std::vector<ColumnPath>& paths) {
  std::vector<std::string> names;
  for (const ColumnPath& path : paths) names.push_back(QuotedIfNeeded(path));
  return names;
}

Result<std::vector<std::string>> PartitionNames(const std::vector<ColumnPath>& paths) {
  std::vector<std::string> names;
  for (const ColumnPath& path : paths) {
    if (path.size() > 1) {
      return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED,
                   {{"operation", "Partitioning by expressions"}});
    }
    names.push_back(path.front());
  }
  return names;
}

Operation Describe(const plan::CreateTable& command, const TableDestination& destination,
                   const TableDefinition& table) {
  if (command.write_mode) {
    Operation operation;
    operation.name = "WRITE";
    operation.Text("mode", *command.write_mode)
        .Encoded("partitionBy", JsonList(table.metadata.partition_columns));
    return operation;
  }
  const std::string base = !command.replace ? "CREATE TABLE"
                           : command.create ? "CREATE OR REPLACE TABLE"
                                            : "REPLACE TABLE";
  Operation operation =
      DescribeTableCreation(command.query == nullptr ? base : base + " AS SELECT",
                            destination.managed, table.metadata, table.clustering);
  if (command.saves_as_table && destination.existing != nullptr) {
    operation.Text("isV1SaveAsTableOverwrite", "true").Text("canOverwriteSchema", "true");
  }
  return operation;
}

/// A CREATE TABLE over a location that holds a table: what the statement says of it must be so.
Status CheckSameTable(const TableDestination& destination, const plan::CreateTable& command,
                      const StructType& schema) {
  const Snapshot& existing = *destination.existing;
  const std::string& path = existing.table().uri;
  if (!command.columns.empty()) {
    bool same = schema.size() == existing.schema().size();
    for (size_t i = 0; i < schema.size() && same; ++i) {
      const StructField& own = existing.schema()[i];
      same = schema[i].name == own.name && schema[i].type.SameType(own.type) &&
             schema[i].nullable == own.nullable;
    }
    if (!same) {
      return Error(ErrorClass::DELTA_CREATE_TABLE_SCHEME_MISMATCH,
                   {{"path", path},
                    {"specifiedSchema", DataType::Struct(schema).CatalogString()},
                    {"existingSchema", DataType::Struct(existing.schema()).CatalogString()},
                    {"schemaDifferences", ""}});
    }
    MERGANSER_ASSIGN_OR_RETURN(const auto partition_by, PartitionNames(command.partition_by));
    if (partition_by != existing.partition_columns()) {
      return Error(ErrorClass::DELTA_CREATE_TABLE_WITH_DIFFERENT_PARTITIONING,
                   {{"path", path},
                    {"specifiedColumns", JsonList(partition_by)},
                    {"existingColumns", JsonList(existing.partition_columns())}});
    }
    const auto clustering = ClusteringColumns(existing);
    if (QuotedPaths(command.cluster_by) != ToStrings(clustering)) {
      return Error(ErrorClass::DELTA_CREATE_TABLE_WITH_DIFFERENT_CLUSTERING,
                   {{"path", path},
                    {"specifiedColumns", JsonList(QuotedPaths(command.cluster_by))},
                    {"existingColumns", JsonList(ToStrings(clustering))}});
    }
  }
  if (command.properties.empty()) return Status::Ok();
  const auto shown = [](const auto& properties) {
    Json json = Json::MakeObject();
    for (const auto& [key, value] : properties) {
      if (!IsProtocolProperty(key) && !key.starts_with("delta.columnMapping.")) json[key] = value;
    }
    return json.Dump();
  };
  if (shown(command.properties) == shown(existing.metadata().configuration)) return Status::Ok();
  return Error(ErrorClass::DELTA_CREATE_TABLE_WITH_DIFFERENT_PROPERTY,
               {{"path", path},
                {"specifiedProperties", shown(command.properties)},
                {"existingProperties", shown(existing.metadata().configuration)}});
}

/// The query's columns as a table schema: nullable throughout, without what belongs to other
/// tables.
StructType SchemaOfQuery(const BoundRelation& query) {
  StructType schema;
  for (const BoundColumn& column : query.columns)
    schema.Add({column.name, column.type.AsNullable(), true, column.metadata});
  return schema;
}

/// What goes when a table is replaced.
struct ReplacedFiles {
  int64_t files = 0;
  int64_t bytes = 0;
};

/// Let `transaction` turn the table that exists into `table`: other metadata, no old rows, no
/// weaker protocol.
Result<ReplacedFiles> ReplaceTable(const StatementContext& context, const Snapshot& existing,
                                   TableDefinition& table, Transaction& transaction) {
  if (!table.metadata.partition_columns.empty() && existing.Supports("clustering")) {
    return Error(ErrorClass::DELTA_CLUSTERING_REPLACE_TABLE_WITH_PARTITIONED_TABLE);
  }
  transaction.ReadWholeTable();
  ReplacedFiles replaced;
  for (const FileView& file : existing.files().Files()) {
    ++replaced.files;
    replaced.bytes += file.size();
    transaction.Remove(TombstoneOf(file, context.clock.NowMillis()));
  }
  MERGANSER_ASSIGN_OR_RETURN(table.protocol,
                             WithFeatures(existing.protocol(), SupportedFeatures(table.protocol)));
  if (!(table.protocol == existing.protocol())) transaction.SetProtocol(table.protocol);
  if (SupportsFeature(table.protocol, "rowTracking"))
    NameRowTrackingColumns(table.metadata.configuration);
  return replaced;
}

Result<CommitResult> CommitTable(StatementContext& context, const plan::CreateTable& command,
                                 const TableDestination& destination, TableDefinition table,
                                 const BoundRelationPtr& query) {
  const bool replacing = destination.existing != nullptr;
  auto started = replacing ? Transaction::Start(destination.existing, context.transaction_options())
                           : Result<Transaction>(Transaction::Create(
                                 destination.location, context.catalog.snapshots().codec(),
                                 context.transaction_options()));
  if (!started.ok()) return std::move(started).error();
  Transaction transaction = std::move(started).value();
  ReplacedFiles replaced;
  if (replacing) {
    MERGANSER_ASSIGN_OR_RETURN(replaced,
                               ReplaceTable(context, *destination.existing, table, transaction));
  } else {
    transaction.SetProtocol(table.protocol);
  }
  const bool was_clustered = replacing && !ClusteringColumns(*destination.existing).empty();
  if (!table.clustering.empty() || was_clustered) {
    const TableProperties properties(table.metadata.configuration);
    transaction.SetDomainMetadata(
        ClusteringAction(table.clustering, table.schema, properties.column_mapping_mode()));
  }
  Operation operation = Describe(command, destination, table);
  UncommittedFiles files(destination.location.file_system);
  if (query != nullptr) {
    MERGANSER_RETURN_IF_ERROR(
        destination.location.file_system->CreateDirectories(destination.location.path));
    MERGANSER_ASSIGN_OR_RETURN(
        const WriteTarget target,
        WriteTarget::Of(destination.location, table.protocol, table.metadata));
    MERGANSER_ASSIGN_OR_RETURN(WrittenRows written,
                               WriteRows(context, {.rows = query}, target, files));
    for (AddFile& file : written.files) transaction.Add(std::move(file));
    operation.Metric("numFiles", static_cast<int64_t>(written.files.size()))
        .Metric("numOutputRows", written.num_rows)
        .Metric("numOutputBytes", written.num_bytes);
    if (replacing) {
      operation.Metric("numRemovedFiles", replaced.files).Metric("numRemovedBytes", replaced.bytes);
    }
  }
  transaction.SetMetadata(std::move(table.metadata));
  return CommitStatement(context, std::move(transaction), std::move(operation), &files);
}

/// What a statement that makes a table says of it, bound.
struct Definition {
  StructType schema;
  BoundRelationPtr query;  ///< Null without AS SELECT.
};

Result<Definition> Bind(Analyzer& analyzer, const plan::CreateTable& command) {
  Definition definition;
  if (command.query != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(definition.query, analyzer.BindQuery(command.query));
    definition.schema = SchemaOfQuery(*definition.query);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(definition.schema,
                               SchemaOfColumns(analyzer, command.columns, "CREATE TABLE"));
  }
  return definition;
}

Result<ResultSet> CreateDeltaTable(StatementContext& context, Analyzer& analyzer,
                                   const plan::CreateTable& command,
                                   const TableDestination& destination) {
  MERGANSER_ASSIGN_OR_RETURN(Definition definition, Bind(analyzer, command));
  const bool adopts = destination.existing != nullptr && !destination.is_taken();
  if (adopts && definition.query == nullptr) {
    // The location already holds a table: the statement only gives it a name.
    MERGANSER_RETURN_IF_ERROR(CheckSameTable(destination, command, definition.schema));
    MERGANSER_RETURN_IF_ERROR(RecordTable(context, destination, /*replace=*/false));
    return ResultSet();
  }
  if (!command.replace || destination.existing == nullptr) {
    MERGANSER_RETURN_IF_ERROR(CheckLocationIsEmpty(destination));
  }
  if (command.replace && definition.query == nullptr && definition.schema.empty()) {
    return Error(ErrorClass::DELTA_SCHEMA_NOT_PROVIDED);
  }
  const bool all_void = !definition.schema.empty() &&
                        std::ranges::all_of(definition.schema, [](const StructField& field) {
                          return field.type.is(TypeId::kNull);
                        });
  if (definition.query != nullptr && all_void)
    return Error(ErrorClass::DELTA_CANNOT_WRITE_EMPTY_SCHEMA, {}, "TABLE_ALL_VOID_COLUMNS");
  TableWish wish;
  wish.schema = std::move(definition.schema);
  MERGANSER_ASSIGN_OR_RETURN(wish.partition_by, PartitionNames(command.partition_by));
  wish.cluster_by = command.cluster_by;
  wish.properties = command.properties;
  wish.comment = command.comment;
  if (command.replace) wish.replaced = destination.existing.get();
  MERGANSER_ASSIGN_OR_RETURN(TableDefinition table,
                             DefineTable(context, analyzer, std::move(wish)));
  MERGANSER_ASSIGN_OR_RETURN(
      const CommitResult committed,
      CommitTable(context, command, destination, std::move(table), definition.query));
  MERGANSER_RETURN_IF_ERROR(RecordTable(context, destination, command.replace));
  return ResultSet();
}

}  // namespace

Operation DescribeTableCreation(std::string name, bool is_managed, const Metadata& metadata,
                                const std::vector<ColumnPath>& clustering) {
  Operation operation;
  operation.name = std::move(name);
  operation.Text("isManaged", is_managed ? "true" : "false");
  if (metadata.description) {
    operation.Text("description", *metadata.description);
  } else {
    operation.parameters.insert_or_assign("description", "null");
  }
  operation.Encoded("partitionBy", JsonList(metadata.partition_columns));
  operation.Encoded("clusterBy", JsonList(ToStrings(clustering)));
  Json properties = Json::MakeObject();
  for (const auto& [key, value] : metadata.configuration) properties[key] = value;
  operation.Encoded("properties", properties.Dump());
  return operation;
}

Result<ResultSet> RunCreateTable(StatementContext& context, const plan::CreateTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const TableDestination destination,
                             FindDestination(context, name, command.location));
  if (command.has_constraints) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"tableName", destination.quoted_name()}, {"operation", "table constraint"}},
                 "TABLE_OPERATION");
  }
  if (destination.is_taken() && !command.replace) {
    if (command.if_not_exists) return ResultSet();
    return TableExists(destination);
  }
  if (destination.entry && destination.entry->provider == "view") return TableExists(destination);
  if (!destination.is_taken() && command.replace && !command.create) {
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND,
                 {{"relationName", QuotedIdentifier(name)}, {"searchPath", ""}});
  }
  const std::string provider =
      TableCatalog::IsPathName(name)
          ? AsciiLowerCase(name[0])
          : DataSourceName(command.provider.value_or(context.conf.default_source()));
  if (provider != "delta")
    return CreateFileTable(context, *analyzer, command, provider, destination);
  return CreateDeltaTable(context, *analyzer, command, destination);
}

}  // namespace merganser
