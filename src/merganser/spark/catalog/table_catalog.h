#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/catalog/snapshot_cache.h"
#include "merganser/spark/catalog/table_identifier.h"
#include "merganser/spark/catalog/warehouse.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// A table that a name stands for. Existence of a Delta log is not promised: LoadSnapshot says.
struct CatalogTable {
  /// Nullopt for a path such as delta.`/data/t`.
  std::optional<TableIdentifier> identifier;
  std::string provider = "delta";
  FileLocation location;
  bool managed = false;
  WarehouseEntry entry;  ///< Options and schema of a table that is not Delta.

  bool is_delta() const { return provider == "delta"; }
};

/// A view that a name stands for.
struct CatalogView {
  std::string name;
  bool temporary = true;
  plan::RelationPtr query;  ///< Of a temporary view; null for a stored one, whose text is parsed.
  std::string text;
  std::vector<std::string> columns;  ///< Names given in CREATE VIEW, empty if none.
  std::string schema;                ///< Current schema when a stored view was made.
  WarehouseEntry entry;              ///< The record of a stored view.
};

using CatalogEntry = std::variant<CatalogTable, CatalogView>;

/// Names as one session sees them: temporary views, then tables and views of the warehouse.
///
/// One-, two- and three-part names; the catalogue part may be `spark_catalog` or `main` or a name
/// that AddAlias gave. `format`.`path` (delta, parquet, csv, json) is a table without an
/// identifier. Not thread-safe.
class TableCatalog {
 public:
  TableCatalog(std::shared_ptr<Warehouse> warehouse,
               std::shared_ptr<const FileSystems> file_systems,
               std::shared_ptr<SnapshotCache> snapshots);

  Warehouse& warehouse() const { return *warehouse_; }
  const FileSystems& file_systems() const { return *file_systems_; }
  SnapshotCache& snapshots() const { return *snapshots_; }
  const std::string& current_schema() const { return current_schema_; }
  /// Fails with SCHEMA_NOT_FOUND.
  Status SetCurrentSchema(const std::vector<std::string>& name);
  /// Let `catalog` be another name of the warehouse (spark.sql.catalog.<name>).
  void AddAlias(std::string catalog) { aliases_.push_back(std::move(catalog)); }

  /// What `name` stands for, or nullopt. Fails with REQUIRES_SINGLE_PART_NAMESPACE on more than
  /// three parts, and with UNSUPPORTED_FILE_SYSTEM on a path of a store that nothing serves.
  Result<std::optional<CatalogEntry>> Find(const std::vector<std::string>& name) const;

  /// The identifier that a new table or view called `name` would have. Fails with SCHEMA_NOT_FOUND
  /// if its schema does not exist.
  Result<TableIdentifier> Identify(const std::vector<std::string>& name) const;
  /// Schema name of a one- or two-part schema reference, lower case; the current one if `name` is
  /// empty.
  Result<std::string> IdentifySchema(const std::vector<std::string>& name) const;
  /// True for delta.`path` and its kin.
  static bool IsPathName(const std::vector<std::string>& name);

  // Temporary views.
  void PutView(CatalogView view);
  bool DropView(std::string_view name);
  const CatalogView* FindTemporaryView(std::string_view name) const;
  std::vector<std::string> temporary_views() const;

  /// Is it `spark_catalog` or another name of it?
  bool IsOwnCatalog(std::string_view name) const;

 private:
  std::shared_ptr<Warehouse> warehouse_;
  std::shared_ptr<const FileSystems> file_systems_;
  std::shared_ptr<SnapshotCache> snapshots_;
  std::string current_schema_ = std::string(kDefaultSchema);
  std::vector<std::string> aliases_ = {"main"};
  std::map<std::string, CatalogView> views_;  ///< By lower-case name.
};

}  // namespace merganser
