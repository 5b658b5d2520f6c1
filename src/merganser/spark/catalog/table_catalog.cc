#include "merganser/spark/catalog/table_catalog.h"

#include <algorithm>
#include <array>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"

namespace merganser {
namespace {

constexpr std::array<std::string_view, 7> kPathFormats = {"delta", "parquet", "csv", "json",
                                                          "text",  "orc",     "avro"};
constexpr std::string_view kGlobalTemporary = "global_temp";

}  // namespace

TableCatalog::TableCatalog(std::shared_ptr<Warehouse> warehouse,
                           std::shared_ptr<const FileSystems> file_systems,
                           std::shared_ptr<SnapshotCache> snapshots)
    : warehouse_(std::move(warehouse)),
      file_systems_(std::move(file_systems)),
      snapshots_(std::move(snapshots)) {}

bool TableCatalog::IsOwnCatalog(std::string_view name) const {
  const std::string lower = AsciiLowerCase(name);
  return lower == kSparkCatalog ||
         std::ranges::any_of(aliases_, [&](const auto& a) { return AsciiLowerCase(a) == lower; });
}

bool TableCatalog::IsPathName(const std::vector<std::string>& name) {
  if (name.size() != 2 ||
      std::ranges::find(kPathFormats, AsciiLowerCase(name[0])) == kPathFormats.end())
    return false;
  // A schema may be called `delta`; only something that looks like a path is one.
  return name[1].find('/') != std::string::npos;
}

Result<std::string> TableCatalog::IdentifySchema(const std::vector<std::string>& name) const {
  if (name.empty()) return current_schema_;
  if (name.size() > 2 || (name.size() == 2 && !IsOwnCatalog(name[0]))) {
    return Error(ErrorClass::SCHEMA_NOT_FOUND, {{"schemaName", QuotedIdentifier(name)}});
  }
  if (name.size() == 1 && IsOwnCatalog(name[0])) return std::string(kDefaultSchema);
  return AsciiLowerCase(name.back());
}

Status TableCatalog::SetCurrentSchema(const std::vector<std::string>& name) {
  MERGANSER_ASSIGN_OR_RETURN(std::string schema, IdentifySchema(name));
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, warehouse_->SchemaExists(schema));
  if (!exists) {
    return Error(ErrorClass::SCHEMA_NOT_FOUND,
                 {{"schemaName", QuotedIdentifier(std::vector<std::string>{
                                     std::string(kSparkCatalog), schema})}});
  }
  current_schema_ = std::move(schema);
  return Status::Ok();
}

Result<TableIdentifier> TableCatalog::Identify(const std::vector<std::string>& name) const {
  if (name.size() > 3 || (name.size() == 3 && !IsOwnCatalog(name[0]))) {
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", QuotedIdentifier(name)}});
  }
  TableIdentifier table;
  table.table = AsciiLowerCase(name.back());
  table.schema = name.size() == 1 ? current_schema_ : AsciiLowerCase(name[name.size() - 2]);
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, warehouse_->SchemaExists(table.schema));
  if (!exists) {
    return Error(ErrorClass::SCHEMA_NOT_FOUND,
                 {{"schemaName", QuotedIdentifier(std::vector<std::string>{
                                     std::string(kSparkCatalog), table.schema})}});
  }
  return table;
}

Result<std::optional<CatalogEntry>> TableCatalog::Find(const std::vector<std::string>& name) const {
  if (name.empty() || name.size() > 3) return std::optional<CatalogEntry>();
  if (name.size() == 1 || (name.size() == 2 && AsciiLowerCase(name[0]) == kGlobalTemporary)) {
    if (const CatalogView* view = FindTemporaryView(name.back()))
      return std::optional<CatalogEntry>(*view);
  }
  if (IsPathName(name)) {
    MERGANSER_ASSIGN_OR_RETURN(FileLocation location, file_systems_->Resolve(name[1]));
    CatalogTable table;
    table.provider = AsciiLowerCase(name[0]);
    table.location = std::move(location);
    return std::optional<CatalogEntry>(std::move(table));
  }
  if (name.size() == 3 && !IsOwnCatalog(name[0])) return std::optional<CatalogEntry>();
  TableIdentifier identifier;
  identifier.table = AsciiLowerCase(name.back());
  identifier.schema = name.size() == 1 ? current_schema_ : AsciiLowerCase(name[name.size() - 2]);
  MERGANSER_ASSIGN_OR_RETURN(auto entry, warehouse_->Find(identifier));
  if (!entry) return std::optional<CatalogEntry>();
  if (entry->provider == "view") {
    CatalogView view;
    view.name = identifier.table;
    view.temporary = false;
    view.text = entry->view_text;
    view.columns = entry->view_columns;
    view.schema = entry->view_schema;
    view.entry = *std::move(entry);
    return std::optional<CatalogEntry>(std::move(view));
  }
  MERGANSER_ASSIGN_OR_RETURN(FileLocation location, file_systems_->Resolve(entry->location));
  CatalogTable table;
  table.identifier = std::move(identifier);
  table.provider = entry->provider;
  table.location = std::move(location);
  table.managed = entry->managed;
  table.entry = *std::move(entry);
  return std::optional<CatalogEntry>(std::move(table));
}

void TableCatalog::PutView(CatalogView view) {
  std::string key = AsciiLowerCase(view.name);
  views_[std::move(key)] = std::move(view);
}

bool TableCatalog::DropView(std::string_view name) {
  return views_.erase(AsciiLowerCase(name)) > 0;
}

const CatalogView* TableCatalog::FindTemporaryView(std::string_view name) const {
  const auto found = views_.find(AsciiLowerCase(name));
  return found == views_.end() ? nullptr : &found->second;
}

std::vector<std::string> TableCatalog::temporary_views() const {
  std::vector<std::string> names;
  for (const auto& [key, view] : views_) names.push_back(view.name);
  return names;
}

}  // namespace merganser
