#include "merganser/commands/create_table.h"

#include <optional>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/table_definition.h"
#include "merganser/commands/table_writer.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

/// Where the table goes and what is there now.
struct Destination {
  std::optional<TableIdentifier> identifier;  ///< Nullopt for delta.`path`.
  FileLocation location;
  bool managed = false;
  SnapshotRef existing;  ///< The Delta table at the location; null if there is none.
};

std::vector<std::string> Names(const std::vector<std::vector<std::string>>& paths) {
  std::vector<std::string> names;
  for (const auto& path : paths) names.push_back(path.back());
  return names;
}

std::string JsonList(const std::vector<std::string>& names) {
  Json json = Json::MakeArray();
  for (const std::string& name : names) json.Append(name);
  return json.Dump();
}

Operation DescribeOperation(const plan::CreateTable& command, const Destination& destination,
                            const TableDefinition& table) {
  Operation operation;
  const std::string base = !command.replace         ? "CREATE TABLE"
                           : command.create         ? "CREATE OR REPLACE TABLE"
                                                    : "REPLACE TABLE";
  operation.name = command.query == nullptr ? base : base + " AS SELECT";
  operation.Text("isManaged", destination.managed ? "true" : "false");
  if (command.comment) {
    operation.Text("description", *command.comment);
  } else {
    operation.parameters.insert_or_assign("description", "null");
  }
  operation.Encoded("partitionBy", JsonList(table.metadata.partition_columns));
  operation.Encoded("clusterBy", JsonList(Names(command.cluster_by)));
  Json properties = Json::MakeObject();
  for (const auto& [key, value] : table.metadata.configuration) properties[key] = value;
  operation.Encoded("properties", properties.Dump());
  return operation;
}

Result<Destination> FindDestination(StatementContext& context, const plan::CreateTable& command,
                                    const std::vector<std::string>& name) {
  Destination destination;
  if (TableCatalog::IsPathName(name)) {
    MERGANSER_ASSIGN_OR_RETURN(destination.location, context.catalog.file_systems().Resolve(name[1]));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(destination.identifier, context.catalog.Identify(name));
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.warehouse().Find(*destination.identifier));
    if (entry) {
      MERGANSER_ASSIGN_OR_RETURN(destination.location, context.catalog.file_systems().Resolve(entry->location));
      destination.managed = entry->managed;
    } else {
      destination.managed = !command.location.has_value();
      const std::string place =
          command.location.value_or(context.catalog.warehouse().DefaultLocation(*destination.identifier));
      MERGANSER_ASSIGN_OR_RETURN(destination.location, context.catalog.file_systems().Resolve(place));
    }
  }
  MERGANSER_ASSIGN_OR_RETURN(destination.existing, context.catalog.snapshots().Latest(destination.location));
  return destination;
}

Status RecordInCatalog(StatementContext& context, const Destination& destination, bool replace) {
  if (!destination.identifier || destination.managed) return Status::Ok();
  WarehouseEntry entry;
  entry.provider = "delta";
  entry.location = destination.location.uri;
  return context.catalog.warehouse().Add(*destination.identifier, entry, replace);
}

/// A CREATE TABLE over a location that holds a table: the statement may leave the schema out, or must repeat it.
Status CheckSameTable(const Snapshot& existing, const plan::CreateTable& command, const StructType& schema) {
  if (command.columns.empty()) return Status::Ok();
  if (schema.size() == existing.schema().size()) {
    bool same = true;
    for (size_t i = 0; i < schema.size() && same; ++i) {
      same = schema[i].name == existing.schema()[i].name && schema[i].type.SameType(existing.schema()[i].type);
    }
    if (same) return Status::Ok();
  }
  return Error(ErrorClass::DELTA_CREATE_TABLE_SCHEME_MISMATCH,
               {{"path", existing.table().uri},
                {"specifiedSchema", ToSchemaJson(schema)},
                {"existingSchema", ToSchemaJson(existing.schema())}});
}

/// The query's columns as a table schema: nullable, without qualifiers' metadata.
StructType SchemaOfQuery(const BoundRelation& query) {
  StructType schema;
  for (const BoundColumn& column : query.columns) schema.Add({column.name, column.type, true, {}});
  return schema;
}

Result<CommitResult> CommitTable(StatementContext& context, const plan::CreateTable& command,
                                 const Destination& destination, const TableDefinition& table,
                                 const BoundRelationPtr& query) {
  const bool replacing = destination.existing != nullptr;
  Result<Transaction> started =
      replacing ? Transaction::Start(destination.existing, context.transaction_options())
                : Result<Transaction>(Transaction::Create(destination.location, context.catalog.snapshots().codec(),
                                                          context.transaction_options()));
  if (!started.ok()) return std::move(started).error();
  Transaction transaction = std::move(started).value();

  Operation operation = DescribeOperation(command, destination, table);
  UncommittedFiles files(destination.location.file_system);
  if (query != nullptr) {
    MERGANSER_RETURN_IF_ERROR(destination.location.file_system->CreateDirectories(destination.location.path));
    const WriteTarget target{destination.location, table.schema, table.metadata.partition_columns,
                             TableProperties(table.metadata.configuration)};
    MERGANSER_ASSIGN_OR_RETURN(WrittenRows written, WriteRows(context, query, target, files));
    for (AddFile& file : written.files) transaction.Add(std::move(file));
    operation.Metric("numFiles", static_cast<int64_t>(written.files.size()))
        .Metric("numOutputRows", written.num_rows)
        .Metric("numOutputBytes", written.num_bytes);
  }
  Metadata metadata = table.metadata;
  metadata.description = command.comment;
  if (replacing) {
    transaction.ReadWholeTable();
    for (const FileView& file : destination.existing->files().Files()) {
      transaction.Remove(TombstoneOf(file, context.clock.NowMillis()));
    }
    MERGANSER_ASSIGN_OR_RETURN(
        const Protocol protocol,
        WithFeatures(destination.existing->protocol(), RequiredFeatures(table.schema, metadata.configuration)));
    if (!(protocol == destination.existing->protocol())) transaction.SetProtocol(protocol);
    metadata.id = destination.existing->metadata().id;
  } else {
    transaction.SetProtocol(table.protocol);
  }
  transaction.SetMetadata(std::move(metadata));
  auto committed = std::move(transaction).Commit(std::move(operation));
  files.Settle(committed.ok() ? Status::Ok() : Status(committed.error()));
  return committed;
}

}  // namespace

Result<ResultSet> RunCreateTable(StatementContext& context, const plan::CreateTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const Destination destination, FindDestination(context, command, name));

  bool known = false;
  if (destination.identifier) {
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.warehouse().Find(*destination.identifier));
    known = entry.has_value();
  } else {
    known = destination.existing != nullptr;
  }
  if (known && !command.replace) {
    if (command.if_not_exists) return ResultSet();
    return Error(ErrorClass::TABLE_OR_VIEW_ALREADY_EXISTS,
                 {{"relationName", destination.identifier ? destination.identifier->Quoted() : QuotedIdentifier(name)}});
  }
  if (!known && command.replace && !command.create) {
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", QuotedIdentifier(name)}});
  }

  BoundRelationPtr query;
  StructType schema;
  if (command.query != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(query, analyzer->BindQuery(command.query));
    schema = SchemaOfQuery(*query);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(schema, SchemaOfColumns(context, command.columns));
  }
  if (destination.existing != nullptr && !command.replace && query == nullptr) {
    // The location already holds a table: the statement only gives it a name.
    MERGANSER_RETURN_IF_ERROR(CheckSameTable(*destination.existing, command, schema));
    MERGANSER_RETURN_IF_ERROR(RecordInCatalog(context, destination, /*replace=*/false));
    return ResultSet();
  }
  if (destination.existing != nullptr && !command.replace) {
    return Error(ErrorClass::DELTA_METADATA_ABSENT_EXISTING_CATALOG_TABLE,
                 {{"tableName", QuotedIdentifier(name)}, {"tableMetadata", destination.location.uri}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const TableDefinition table,
                             DefineTable(context, std::move(schema), Names(command.partition_by), command.properties));
  MERGANSER_ASSIGN_OR_RETURN(const CommitResult committed, CommitTable(context, command, destination, table, query));
  if (committed.snapshot != nullptr) context.catalog.snapshots().Put(committed.snapshot);
  MERGANSER_RETURN_IF_ERROR(RecordInCatalog(context, destination, command.replace));
  return ResultSet();
}

}  // namespace merganser
