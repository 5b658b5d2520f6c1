#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// What the rows of a change file mean.
enum class ChangeKind : uint8_t {
  kCdcFile,  ///< The file has its own `_change_type` column.
  kInsert,
  kDelete,
};

/// One file of the change feed.
struct ChangeFile {
  ChangeKind kind = ChangeKind::kInsert;
  std::string path = {};  ///< URI-encoded, as in the log.
  PartitionValues partition_values = {};
  int64_t size = 0;
  Version version = Version::None();
  int64_t commit_timestamp = 0;  ///< Milliseconds since the epoch.
  /// Rows to leave out: deleted ones for kInsert, those already deleted before the commit for
  /// kDelete.
  std::optional<DeletionVectorDescriptor> excluded_rows = {};
  /// If set, only these rows, less `excluded_rows`, changed: a deletion vector that grew or shrank.
  std::optional<DeletionVectorDescriptor> included_rows = {};
  std::optional<std::string> stats = {};
};

/// The files that hold what changed in versions [start, end], in version order.
struct TableChanges {
  Version start = Version::None();
  Version end = Version::None();
  std::vector<ChangeFile> files = {};
  StructType schema = {};  ///< The table's columns as of the snapshot the feed is read with.
};

/// Plan the change feed ("Reader Requirements for AddCDCFile" in PROTOCOL.md). `latest` gives the
/// schema; `end` is clipped to its version.
///
/// Fails with DELTA_MISSING_CHANGE_DATA if the feed was off in the range, and with
/// DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE or ..._DATA_SCHEMA if the schema changed in a
/// way the feed cannot show.
Result<TableChanges> PlanTableChanges(const Snapshot& latest, Version start, Version end);

}  // namespace merganser
