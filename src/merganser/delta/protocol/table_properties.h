#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/base/version.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/column_mapping.h"

namespace merganser {

/// The `delta.*` settings of a table, read from `metaData.configuration` with Delta's defaults.
/// A value that cannot be read counts as its default here; setting one is checked elsewhere.
class TableProperties {
 public:
  TableProperties() = default;
  explicit TableProperties(StringMap configuration) : configuration_(std::move(configuration)) {}

  const StringMap& configuration() const { return configuration_; }
  std::optional<std::string_view> Find(std::string_view key) const;

  bool append_only() const;                  ///< delta.appendOnly
  bool enable_change_data_feed() const;      ///< delta.enableChangeDataFeed
  bool enable_deletion_vectors() const;      ///< delta.enableDeletionVectors
  bool enable_row_tracking() const;          ///< delta.enableRowTracking
  bool enable_type_widening() const;         ///< delta.enableTypeWidening
  bool enable_in_commit_timestamps() const;  ///< delta.enableInCommitTimestamps
  /// The lowest version of delta.enableIcebergCompatV1, V2 and V3 that is on; 0 if none is.
  int iceberg_compat_version() const;
  std::optional<Version> in_commit_timestamp_enablement_version() const;
  std::optional<int64_t> in_commit_timestamp_enablement_timestamp() const;
  ColumnMappingMode column_mapping_mode() const;  ///< delta.columnMapping.mode
  int64_t column_mapping_max_column_id() const;   ///< delta.columnMapping.maxColumnId
  int32_t checkpoint_interval() const;            ///< delta.checkpointInterval, 10
  /// delta.requireCheckpointProtectionBeforeVersion, 0
  Version checkpoint_protection_before_version() const;
  bool checkpoint_write_stats_as_json() const;    ///< delta.checkpoint.writeStatsAsJson, true
  bool checkpoint_write_stats_as_struct() const;  ///< delta.checkpoint.writeStatsAsStruct, true
  bool v2_checkpoint_policy() const;              ///< delta.checkpointPolicy = v2
  /// Leaf columns that get statistics; -1 is all. delta.dataSkippingNumIndexedCols, 32
  int32_t data_skipping_num_indexed_columns() const;
  /// delta.dataSkippingStatsColumns, as the user wrote it.
  std::optional<std::string> data_skipping_stats_columns() const;
  std::string isolation_level() const;        ///< delta.isolationLevel, "Serializable"
  int64_t deleted_file_retention_ms() const;  ///< delta.deletedFileRetentionDuration, 1 week
  int64_t log_retention_ms() const;           ///< delta.logRetentionDuration, 30 days
  bool enable_expired_log_cleanup() const;    ///< delta.enableExpiredLogCleanup, true
  bool write_partition_columns() const;       ///< delta.writePartitionColumnsToParquet, false
  std::string compression_codec() const;      ///< delta.parquet.compression.codec, empty if not set
  /// delta.constraints.<name> to its expression, in name order.
  std::vector<std::pair<std::string, std::string>> constraints() const;

 private:
  bool Boolean(std::string_view key, bool fallback) const;
  int64_t Number(std::string_view key, int64_t fallback) const;
  int64_t Interval(std::string_view key, int64_t fallback_ms) const;

  StringMap configuration_;
};

}  // namespace merganser
