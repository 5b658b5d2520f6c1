#include "merganser/spark/catalog/warehouse.h"

#include <algorithm>
#include <set>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uri.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/catalog/warehouse_record.h"

namespace merganser {
namespace {

constexpr std::string_view kRecords = ".merganser/catalog";
constexpr std::string_view kSchemaSuffix = ".db";
constexpr std::string_view kRecordSuffix = ".json";

Error SchemaNotFound(const std::string& schema) {
  return Error(ErrorClass::SCHEMA_NOT_FOUND,
               {{"schemaName",
                 QuotedIdentifier(std::vector<std::string>{std::string(kSparkCatalog), schema})}});
}

std::optional<std::string> StripSuffix(std::string_view name, std::string_view suffix) {
  if (name.size() <= suffix.size() || !name.ends_with(suffix)) return std::nullopt;
  return std::string(name.substr(0, name.size() - suffix.size()));
}

}  // namespace

Result<std::shared_ptr<Warehouse>> Warehouse::Open(std::string_view root,
                                                   const FileSystems& file_systems) {
  MERGANSER_ASSIGN_OR_RETURN(FileLocation location, file_systems.Resolve(root));
  return std::shared_ptr<Warehouse>(new Warehouse(std::move(location)));
}

std::string Warehouse::RecordPath(const TableIdentifier& table) const {
  return JoinPath(JoinPath(JoinPath(root_.path, kRecords), table.schema),
                  table.table + std::string(kRecordSuffix));
}

std::string Warehouse::SchemaRecordPath(const std::string& schema) const {
  return JoinPath(JoinPath(root_.path, kRecords), schema + std::string(kRecordSuffix));
}

std::string Warehouse::SchemaFolder(const std::string& schema) const {
  return schema == kDefaultSchema ? root_.path
                                  : JoinPath(root_.path, schema + std::string(kSchemaSuffix));
}

std::string Warehouse::DefaultLocation(const TableIdentifier& table) const {
  return JoinPath(SchemaFolder(table.schema), table.table);
}

std::string Warehouse::GivenLocation(const TableIdentifier& table,
                                     const std::string& location) const {
  const bool relative = UriScheme(location).empty() && !location.starts_with('/');
  return relative ? JoinPath(SchemaFolder(table.schema), location) : location;
}

Result<bool> Warehouse::SchemaExists(const std::string& schema) const {
  if (schema == kDefaultSchema) return true;
  MERGANSER_ASSIGN_OR_RETURN(const bool recorded,
                             root_.file_system->Exists(SchemaRecordPath(schema)));
  if (recorded) return true;
  return root_.file_system->Exists(SchemaFolder(schema));
}

Result<std::vector<SchemaEntry>> Warehouse::ListSchemas() const {
  std::set<std::string> names = {std::string(kDefaultSchema)};
  MERGANSER_ASSIGN_OR_RETURN(const auto folders, root_.file_system->List(root_.path));
  for (const FileEntry& entry : folders) {
    if (auto name = StripSuffix(entry.name, kSchemaSuffix); name && entry.is_directory)
      names.insert(*name);
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto records,
                             root_.file_system->List(JoinPath(root_.path, kRecords)));
  for (const FileEntry& entry : records) {
    if (auto name = StripSuffix(entry.name, kRecordSuffix); name && !entry.is_directory)
      names.insert(*name);
  }
  std::vector<SchemaEntry> schemas;
  for (const std::string& name : names) {
    MERGANSER_ASSIGN_OR_RETURN(SchemaEntry schema, GetSchema(name));
    schemas.push_back(std::move(schema));
  }
  return schemas;
}

Result<SchemaEntry> Warehouse::GetSchema(const std::string& schema) const {
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, SchemaExists(schema));
  if (!exists) return SchemaNotFound(schema);
  MERGANSER_ASSIGN_OR_RETURN(const auto text,
                             root_.file_system->ReadIfExists(SchemaRecordPath(schema)));
  SchemaEntry entry{
      .name = schema, .location = SchemaFolder(schema), .comment = {}, .properties = {}};
  if (text) {
    MERGANSER_RETURN_IF_ERROR(ReadSchemaRecord(*text, &entry));
  } else if (schema == kDefaultSchema) {
    entry.comment = "default database";
  }
  return entry;
}

Status Warehouse::CreateSchema(const SchemaEntry& schema) {
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, SchemaExists(schema.name));
  if (exists) {
    return Error(ErrorClass::SCHEMA_ALREADY_EXISTS,
                 {{"schemaName", QuotedIdentifier(std::vector<std::string>{
                                     std::string(kSparkCatalog), schema.name})}});
  }
  MERGANSER_RETURN_IF_ERROR(root_.file_system->CreateDirectories(SchemaFolder(schema.name)));
  return ReplaceSchema(schema);
}

Status Warehouse::ReplaceSchema(const SchemaEntry& schema) {
  const std::string path = SchemaRecordPath(schema.name);
  MERGANSER_RETURN_IF_ERROR(root_.file_system->CreateDirectories(std::string(ParentPath(path))));
  return root_.file_system->Write(path, WriteSchemaRecord(schema));
}

Status Warehouse::DropSchema(const std::string& schema, bool cascade) {
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, SchemaExists(schema));
  if (!exists) return SchemaNotFound(schema);
  MERGANSER_ASSIGN_OR_RETURN(const auto tables, ListTables(schema));
  if (!tables.empty() && !cascade) {
    return Error(ErrorClass::SCHEMA_NOT_EMPTY,
                 {{"schemaName", QuotedIdentifier(std::vector<std::string>{
                                     std::string(kSparkCatalog), schema})}});
  }
  for (const std::string& table : tables) MERGANSER_RETURN_IF_ERROR(Remove({schema, table}));
  MERGANSER_RETURN_IF_ERROR(root_.file_system->Delete(SchemaRecordPath(schema)));
  return root_.file_system->DeleteDirectory(SchemaFolder(schema));
}

Result<std::optional<WarehouseEntry>> Warehouse::Find(const TableIdentifier& table) const {
  auto record = root_.file_system->ReadIfExists(RecordPath(table));
  if (!record.ok()) return std::move(record).error();
  if (record->has_value()) {
    MERGANSER_ASSIGN_OR_RETURN(WarehouseEntry entry, ReadTableRecord(**record));
    return std::optional<WarehouseEntry>(std::move(entry));
  }
  const std::string location = DefaultLocation(table);
  MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                             root_.file_system->Exists(JoinPath(location, "_delta_log")));
  if (!exists) return std::optional<WarehouseEntry>();
  WarehouseEntry entry;
  entry.provider = "delta";
  entry.location = location;
  entry.managed = true;
  return std::optional<WarehouseEntry>(std::move(entry));
}

Result<std::vector<std::string>> Warehouse::ListTables(const std::string& schema) const {
  std::set<std::string> names;
  const std::string folder = SchemaFolder(schema);
  MERGANSER_ASSIGN_OR_RETURN(const auto folders, root_.file_system->List(folder));
  for (const FileEntry& entry : folders) {
    if (!entry.is_directory) continue;
    MERGANSER_ASSIGN_OR_RETURN(const bool exists, root_.file_system->Exists(JoinPath(
                                                      JoinPath(folder, entry.name), "_delta_log")));
    if (exists) names.insert(entry.name);
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto records, root_.file_system->List(JoinPath(
                                                     JoinPath(root_.path, kRecords), schema)));
  for (const FileEntry& entry : records) {
    if (auto name = StripSuffix(entry.name, kRecordSuffix)) names.insert(*name);
  }
  return std::vector<std::string>(names.begin(), names.end());
}

Status Warehouse::Add(const TableIdentifier& table, const WarehouseEntry& entry, bool replace) {
  const std::string path = RecordPath(table);
  MERGANSER_RETURN_IF_ERROR(root_.file_system->CreateDirectories(std::string(ParentPath(path))));
  if (replace) return root_.file_system->Write(path, WriteTableRecord(entry));
  MERGANSER_ASSIGN_OR_RETURN(const PutOutcome outcome,
                             root_.file_system->PutIfAbsent(path, WriteTableRecord(entry)));
  if (outcome == PutOutcome::kAlreadyExists) {
    return Error(ErrorClass::TABLE_OR_VIEW_ALREADY_EXISTS, {{"relationName", table.Quoted()}});
  }
  return Status::Ok();
}

Status Warehouse::Remove(const TableIdentifier& table) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, Find(table));
  if (!entry) return Status::Ok();
  if (entry->managed)
    MERGANSER_RETURN_IF_ERROR(root_.file_system->DeleteDirectory(DefaultLocation(table)));
  return root_.file_system->Delete(RecordPath(table));
}

Status Warehouse::Rename(const TableIdentifier& from, const TableIdentifier& to) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, Find(from));
  if (!entry) return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", from.Quoted()}});
  MERGANSER_ASSIGN_OR_RETURN(const auto taken, Find(to));
  if (taken)
    return Error(ErrorClass::TABLE_OR_VIEW_ALREADY_EXISTS, {{"relationName", to.Quoted()}});
  if (entry->managed) {
    MERGANSER_RETURN_IF_ERROR(
        root_.file_system->Rename(DefaultLocation(from), DefaultLocation(to)));
  }
  MERGANSER_ASSIGN_OR_RETURN(const bool recorded, root_.file_system->Exists(RecordPath(from)));
  if (!recorded) return Status::Ok();
  WarehouseEntry moved = *entry;
  if (moved.managed) moved.location = DefaultLocation(to);
  MERGANSER_RETURN_IF_ERROR(Add(to, moved, /*replace=*/false));
  return root_.file_system->Delete(RecordPath(from));
}

}  // namespace merganser
