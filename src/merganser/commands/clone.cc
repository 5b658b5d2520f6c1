#include "merganser/commands/clone.h"

#include <algorithm>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uri.h"
#include "merganser/base/uuid.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/foreign_files.h"
#include "merganser/commands/iceberg_properties.h"
#include "merganser/commands/table_definition.h"
#include "merganser/commands/table_destination.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

/// What is cloned.
struct CloneSource {
  std::string name;
  Version version = Version::None();
  Protocol protocol;
  Metadata metadata;
  std::vector<AddFile> files;  ///< Paths absolute.
  std::optional<DomainMetadata> clustering;
  int64_t bytes = 0;
};

/// `path`, of a file of the table at `location`, as a URI that means the same from anywhere.
Result<std::string> AbsoluteUri(const FileLocation& location, std::string_view path) {
  if (!UriScheme(path).empty()) return std::string(path);
  if (UriScheme(location.uri) != "file" && !path.starts_with('/'))
    return JoinPath(location.uri, path);
  MERGANSER_ASSIGN_OR_RETURN(const std::string plain, DataFilePath(location.path, path));
  return "file:" + EncodeDataPath(plain);
}

Status MakeAbsolute(const FileLocation& location, AddFile& file) {
  MERGANSER_ASSIGN_OR_RETURN(file.path, AbsoluteUri(location, file.path));
  if (!file.deletion_vector ||
      file.deletion_vector->storage != DeletionVectorDescriptor::Storage::kRelativeFile) {
    return Status::Ok();
  }
  DeletionVectorDescriptor& vector = *file.deletion_vector;
  MERGANSER_ASSIGN_OR_RETURN(const std::string path, DeletionVectorPath(location.path, vector));
  MERGANSER_ASSIGN_OR_RETURN(
      vector.path_or_inline_dv,
      AbsoluteUri(location, EncodeDataPath(path.substr(location.path.size() + 1))));
  vector.storage = DeletionVectorDescriptor::Storage::kAbsoluteFile;
  return Status::Ok();
}

Result<CloneSource> DeltaSource(Analyzer& analyzer, const CatalogTable& table,
                                const plan::TableReference& reference) {
  auto found = reference.time_travel
                   ? analyzer.SnapshotAsOf(table, *reference.time_travel, reference.name)
                   : analyzer.SnapshotOf(table, reference.name);
  if (!found.ok()) return std::move(found).error();
  const Snapshot& snapshot = **found;
  CloneSource source;
  source.name = table.identifier ? table.identifier->ToString()
                                 : "delta." + QuotedIdentifier(std::string(snapshot.table().uri));
  source.version = snapshot.version();
  source.protocol = snapshot.protocol();
  source.metadata = snapshot.metadata();
  for (const FileView& file : snapshot.files().Files()) {
    AddFile add = file.ToAddFile();
    MERGANSER_RETURN_IF_ERROR(MakeAbsolute(snapshot.table(), add));
    // The clone numbers its rows itself.
    add.base_row_id.reset();
    add.default_row_commit_version.reset();
    add.data_change = true;
    source.files.push_back(std::move(add));
  }
  const auto clustering = snapshot.domain_metadata().find(kClusteringDomain);
  if (clustering != snapshot.domain_metadata().end()) source.clustering = clustering->second;
  source.bytes = snapshot.size_in_bytes();
  return source;
}

Result<CloneSource> ParquetSource(StatementContext& context, Analyzer& analyzer,
                                  const CatalogTable& table) {
  StructType partitions;
  if (table.entry.schema) {
    for (const std::string& name : table.entry.partition_columns) {
      if (const StructField* field = table.entry.schema->Find(name)) partitions.Add(*field);
    }
  }
  MERGANSER_ASSIGN_OR_RETURN(ForeignTable files,
                             ReadForeignTable(context, table.location, partitions));
  TableWish wish;
  wish.schema = files.schema;
  wish.partition_by = files.partition_columns;
  wish.session_defaults = false;
  MERGANSER_ASSIGN_OR_RETURN(TableDefinition definition,
                             DefineTable(context, analyzer, std::move(wish)));
  CloneSource source;
  source.name = table.identifier ? table.identifier->ToString()
                                 : "parquet." + QuotedIdentifier(std::string(table.location.path));
  source.protocol = std::move(definition.protocol);
  source.metadata = std::move(definition.metadata);
  source.bytes = files.size_in_bytes();
  source.files = std::move(files.files);
  for (AddFile& file : source.files) MERGANSER_RETURN_IF_ERROR(MakeAbsolute(table.location, file));
  return source;
}

Result<CloneSource> FindSource(StatementContext& context, Analyzer& analyzer,
                               const plan::TableReference& reference) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(reference.name));
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer.NameParts(reference.name));
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table != nullptr && table->is_delta()) return DeltaSource(analyzer, *table, reference);
  if (table != nullptr && table->provider == "parquet")
    return ParquetSource(context, analyzer, *table);
  return Error(
      ErrorClass::DELTA_CLONE_UNSUPPORTED_SOURCE,
      {{"name", QuotedIfNeeded(name)}, {"format", table == nullptr ? "View" : table->provider}});
}

/// The clone's protocol and metadata.
struct CloneDefinition {
  Protocol protocol;
  Metadata metadata;
};

/// Properties of the statement may be the first to ask for ids inside of columns.
void NumberNestedFields(const StructType& schema, Metadata& metadata) {
  const TableProperties properties(metadata.configuration);
  if (properties.iceberg_compat_version() < 2 ||
      properties.column_mapping_mode() == ColumnMappingMode::kNone) {
    return;
  }
  const int64_t last = std::max(properties.column_mapping_max_column_id(), MaxColumnId(schema));
  const MappedSchema mapped = WithIcebergFieldIds({schema, last}, metadata.configuration);
  metadata.schema_string = ToSchemaJson(mapped.schema);
  metadata.configuration["delta.columnMapping.maxColumnId"] = std::to_string(mapped.max_column_id);
}

Result<CloneDefinition> Define(StatementContext& context, const plan::CloneTable& command,
                               const CloneSource& source, const Snapshot* existing) {
  CloneDefinition clone;
  clone.metadata = source.metadata;
  clone.metadata.id = existing == nullptr ? RandomUuid() : existing->metadata().id;
  clone.metadata.name = existing == nullptr ? std::nullopt : existing->metadata().name;
  clone.metadata.description =
      existing == nullptr ? std::nullopt : existing->metadata().description;
  StringMap& configuration = clone.metadata.configuration;
  for (const char* key :
       {"delta.rowTracking.materializedRowIdColumnName",
        "delta.rowTracking.materializedRowCommitVersionColumnName",
        "delta.inCommitTimestampEnablementVersion", "delta.inCommitTimestampEnablementTimestamp"}) {
    configuration.erase(key);
  }
  PropertyMap wanted;
  for (const auto& [key, value] : command.properties) wanted[key] = value;
  MERGANSER_ASSIGN_OR_RETURN(PropertyMap properties, ValidateTableProperties(wanted, context.conf));
  MERGANSER_ASSIGN_OR_RETURN(const ProtocolWish wish, TakeProtocolWish(properties));
  const auto mode_of = [](const StringMap& map) {
    return TableProperties(map).column_mapping_mode();
  };
  const ColumnMappingMode old_mode = mode_of(configuration);
  for (const auto& [key, value] : properties) configuration[key] = value;
  const ColumnMappingMode new_mode = mode_of(configuration);
  if (old_mode != new_mode) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE,
                 {{"oldMode", std::string(ToString(old_mode))},
                  {"newMode", std::string(ToString(new_mode))}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const StructType schema,
                             ParseSchemaJson(clone.metadata.schema_string));
  NumberNestedFields(schema, clone.metadata);
  std::vector<std::string> features = RequiredFeatures(schema, configuration);
  const auto add = [&](const std::vector<std::string>& more) {
    features.insert(features.end(), more.begin(), more.end());
  };
  add(wish.Features(source.protocol));
  if (existing != nullptr) add(SupportedFeatures(existing->protocol()));
  MERGANSER_ASSIGN_OR_RETURN(clone.protocol, WithFeatures(source.protocol, features));
  if (SupportsFeature(clone.protocol, "rowTracking")) NameRowTrackingColumns(configuration);
  return clone;
}

StructType ResultSchema() {
  StructType schema;
  for (const char* name : {"source_table_size", "source_num_of_files", "num_removed_files",
                           "num_copied_files", "removed_files_size", "copied_files_size"}) {
    schema.Add({name, DataType::Long(), true, {}});
  }
  return schema;
}

/// Domains of a table that is replaced go, but for the one that the clone brings.
void SetDomains(const CloneSource& source, const Snapshot* existing, Transaction& transaction) {
  if (source.clustering) transaction.SetDomainMetadata(*source.clustering);
  if (existing == nullptr) return;
  for (const auto& [name, domain] : existing->domain_metadata()) {
    if (name == "delta.rowTracking" || (source.clustering && name == kClusteringDomain)) continue;
    DomainMetadata removed = domain;
    removed.removed = true;
    transaction.SetDomainMetadata(std::move(removed));
  }
}

}  // namespace

Result<ResultSet> RunClone(StatementContext& context, const plan::CloneTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(CloneSource source, FindSource(context, *analyzer, command.source));
  MERGANSER_ASSIGN_OR_RETURN(const TableDestination destination,
                             FindDestination(context, name, command.location));
  if (destination.is_taken() && !command.replace) {
    if (command.if_not_exists) return CommandResult(context, ResultSchema(), {});
    return Error(ErrorClass::DELTA_TABLE_ALREADY_EXISTS,
                 {{"tableName", destination.quoted_name()}});
  }
  if (destination.entry && destination.entry->provider != "delta") return TableExists(destination);
  if (!destination.is_taken() && command.replace && !command.create) {
    return Error(ErrorClass::DELTA_CANNOT_REPLACE_MISSING_TABLE,
                 {{"tableName", QuotedIfNeeded(name)}});
  }
  if (!command.replace) MERGANSER_RETURN_IF_ERROR(CheckLocationIsEmpty(destination));
  const Snapshot* existing = destination.existing.get();
  if (existing != nullptr && !existing->files().empty())
    return Error(ErrorClass::DELTA_UNSUPPORTED_NON_EMPTY_CLONE);

  MERGANSER_ASSIGN_OR_RETURN(CloneDefinition clone, Define(context, command, source, existing));
  TransactionOptions options = context.transaction_options();
  options.is_bulk_commit = true;
  auto started = existing == nullptr
                     ? Result<Transaction>(Transaction::Create(
                           destination.location, context.catalog.snapshots().codec(), options))
                     : Transaction::Start(destination.existing, options);
  if (!started.ok()) return std::move(started).error();
  Transaction transaction = std::move(started).value();
  if (existing == nullptr || !(clone.protocol == existing->protocol()))
    transaction.SetProtocol(clone.protocol);
  transaction.SetMetadata(std::move(clone.metadata));
  SetDomains(source, existing, transaction);
  const auto num_files = static_cast<int64_t>(source.files.size());
  for (AddFile& file : source.files) transaction.Add(std::move(file));
  Operation operation;
  operation.name = "CLONE";
  operation.Text("source", source.name)
      .Metric("sourceTableSize", source.bytes)
      .Metric("sourceNumOfFiles", num_files)
      .Metric("numRemovedFiles", 0)
      .Metric("numCopiedFiles", 0)
      .Metric("removedFilesSize", 0)
      .Metric("copiedFilesSize", 0);
  operation.parameters["sourceVersion"] = source.version.ToString();
  auto committed = CommitStatement(context, std::move(transaction), std::move(operation));
  if (!committed.ok()) return std::move(committed).error();
  MERGANSER_RETURN_IF_ERROR(RecordTable(context, destination, command.replace));
  return CommandResult(context, ResultSchema(), {{source.bytes, num_files, 0, 0, 0, 0}});
}

}  // namespace merganser
