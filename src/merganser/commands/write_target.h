#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/session_conf.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/sink/sink.h"

namespace merganser {

/// The table that rows are written to, as it will be after the statement.
struct WriteTarget {
  FileLocation location;
  StructType schema;  ///< Logical, with column mapping metadata.
  std::vector<std::string> partition_columns;
  TableProperties properties;
  /// Data files hold the partition columns too (see StoresPartitionColumns).
  bool stores_partition_columns = false;

  static WriteTarget Of(const Snapshot& snapshot);
  /// Fails with DELTA_SCHEMA_CORRUPTED if the metadata's schema is damaged.
  static Result<WriteTarget> Of(FileLocation location, const Protocol& protocol,
                                const Metadata& metadata);

  bool is_partition_column(std::string_view name) const;
};

/// Must data files hold the partition columns? Iceberg compatibility and the table feature
/// `materializePartitionColumns` want it, delta.writePartitionColumnsToParquet asks for it.
bool StoresPartitionColumns(const Protocol& protocol, const StringMap& configuration);

/// Names of the columns in which data files keep the ids and commit versions of rows that were
/// moved
/// ("Materialized Row ID and Row Commit Version Column Names" in PROTOCOL.md).
struct RowTrackingColumns {
  std::string row_id;
  std::string row_commit_version;
};
/// Nothing where the table does not track rows.
std::optional<RowTrackingColumns> FindRowTrackingColumns(const TableProperties& properties);

/// How the sink writes rows of the table's schema to data files. With `row_tracking` the rows have
/// two more columns, the id and the commit version of each; the table must have names for them.
engine::SinkFamily DataFamily(const WriteTarget& target, bool row_tracking = false);
/// Change files: the table's columns and `_change_type` ("Change Data Files" in PROTOCOL.md).
engine::SinkFamily ChangeFamily(const WriteTarget& target);
/// A sink without families and routes, with the table's file size and compression.
engine::SinkSpec SinkSpecOf(const WriteTarget& target, const SessionConf& conf);

/// The add action of a data file that was written for `target`.
AddFile ToAddFile(const engine::WrittenFile& file, const WriteTarget& target, int64_t now_ms);
/// The cdc action of a written change file.
AddCdcFile ToChangeFile(const engine::WrittenFile& file);

}  // namespace merganser
