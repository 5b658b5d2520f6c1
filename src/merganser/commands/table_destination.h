#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/catalog/table_catalog.h"

namespace merganser {

/// Where a table that a statement makes goes, and what is there now.
struct TableDestination {
  std::optional<TableIdentifier> identifier;  ///< Nullopt for delta.`path`.
  FileLocation location;
  bool managed = false;
  /// What the catalogue has under the name.
  std::optional<WarehouseEntry> entry;
  /// The Delta table at the location; null if there is none.
  SnapshotRef existing;

  /// Is there a table or view of that name, or at the path?
  bool is_taken() const { return identifier ? entry.has_value() : existing != nullptr; }
  /// The name as errors show it.
  std::string quoted_name() const;
};

/// Find the place of a new table: the one of the table that exists, `location`, or the warehouse's
/// for the name. Fails with SCHEMA_NOT_FOUND, UNSUPPORTED_FILE_SYSTEM,
/// DELTA_AMBIGUOUS_PATHS_IN_CREATE_TABLE, and as Snapshot::Load.
Result<TableDestination> FindDestination(StatementContext& context,
                                         const std::vector<std::string>& name,
                                         const std::optional<std::string>& location);

/// Fails with DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION if there are files at the location.
Status CheckLocationIsEmpty(const TableDestination& destination);

/// Let the catalogue know the table, once it exists. No effect for managed Delta tables and for
/// paths. Fails with TABLE_OR_VIEW_ALREADY_EXISTS unless `replace`.
Status RecordTable(StatementContext& context, const TableDestination& destination, bool replace);

/// The error for a name that is taken.
Error TableExists(const TableDestination& destination);

}  // namespace merganser
