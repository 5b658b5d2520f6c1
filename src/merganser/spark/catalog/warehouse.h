#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/io/file_systems.h"
#include "merganser/spark/catalog/table_identifier.h"
#include "merganser/spark/plan/relation.h"
#include "merganser/spark/plan/view_schema_mode.h"

namespace merganser {

/// A catalogue entry that is not a managed Delta table: a pointer to data elsewhere, a table of
/// another format, or a view.
struct WarehouseEntry {
  std::string provider;  ///< "delta", "parquet", "csv", "json"; "view" for a view.
  std::string location;  ///< Absolute path or URI; empty for a view.
  bool managed = false;
  /// Of a table that is not Delta. Of a view, the columns it keeps; nullopt if it has those of its
  /// query (WITH SCHEMA EVOLUTION).
  std::optional<StructType> schema;
  std::vector<std::string> partition_columns;
  plan::Options options;
  std::optional<std::string> comment;
  plan::Options properties;
  std::string view_text;                  ///< SQL of a view.
  std::vector<std::string> view_columns;  ///< Names given in CREATE VIEW, empty if none.
  std::string view_schema;                ///< Current schema when the view was made.
  /// Columns of the view's query that those of `schema` come from.
  std::vector<std::string> view_query_columns;
  plan::ViewSchemaMode view_schema_mode = plan::ViewSchemaMode::kCompensation;
};

struct SchemaEntry {
  std::string name;
  std::string location;
  std::string comment;
  plan::Options properties;
};

/// The persistent catalogue: a folder laid out as Spark's warehouse.
///
/// A managed table of schema `default` is the folder `<root>/<table>`, of another schema
/// `<root>/<schema>.db/<table>`; it exists once its `_delta_log` does, so that creating one is the
/// put-if-absent of commit 0 and needs no second record. Everything else is one JSON file below
/// `<root>/.merganser/catalog`, made and removed atomically, so that several processes may share a
/// warehouse. Thread-safe: it keeps no state.
class Warehouse {
 public:
  /// `root` is a folder (made on first use) or URI. Fails with UNSUPPORTED_FILE_SYSTEM.
  static Result<std::shared_ptr<Warehouse>> Open(std::string_view root,
                                                 const FileSystems& file_systems);

  const FileLocation& root() const { return root_; }

  Result<bool> SchemaExists(const std::string& schema) const;
  Result<std::vector<SchemaEntry>> ListSchemas() const;
  Result<SchemaEntry> GetSchema(const std::string& schema) const;
  /// Fails with SCHEMA_ALREADY_EXISTS.
  Status CreateSchema(const SchemaEntry& schema);
  Status ReplaceSchema(const SchemaEntry& schema);
  /// Fails with SCHEMA_NOT_FOUND, SCHEMA_NOT_EMPTY; `cascade` drops what is in it.
  Status DropSchema(const std::string& schema, bool cascade);

  /// Folder of a managed table (whether it exists or not).
  std::string DefaultLocation(const TableIdentifier& table) const;

  /// The location that a statement gives `table`: a relative path starts at the schema's folder.
  std::string GivenLocation(const TableIdentifier& table, const std::string& location) const;

  /// The entry, or nullopt. A managed Delta table gives provider "delta" and its default location.
  Result<std::optional<WarehouseEntry>> Find(const TableIdentifier& table) const;
  /// Names of tables and views of a schema, sorted.
  Result<std::vector<std::string>> ListTables(const std::string& schema) const;
  /// Record an entry. Fails with TABLE_OR_VIEW_ALREADY_EXISTS unless `replace`. Not for managed
  /// Delta tables.
  Status Add(const TableIdentifier& table, const WarehouseEntry& entry, bool replace);
  /// Forget the entry; a managed table's folder is removed with it.
  Status Remove(const TableIdentifier& table);
  /// Rename: moves the record, or the folder of a managed table.
  Status Rename(const TableIdentifier& from, const TableIdentifier& to);

 private:
  explicit Warehouse(FileLocation root) : root_(std::move(root)) {}
  std::string RecordPath(const TableIdentifier& table) const;
  std::string SchemaRecordPath(const std::string& schema) const;
  std::string SchemaFolder(const std::string& schema) const;

  FileLocation root_;
};

}  // namespace merganser
