#include "merganser/delta/protocol/table_properties.h"

#include <charconv>
#include <limits>

#include "merganser/base/calendar_interval.h"
#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

constexpr int64_t kMillisPerDay = 86'400'000;

std::optional<int64_t> ParseNumber(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string_view> TableProperties::Find(std::string_view key) const {
  const auto found = configuration_.find(key);
  if (found == configuration_.end()) return std::nullopt;
  return found->second;
}

bool TableProperties::Boolean(std::string_view key, bool fallback) const {
  const auto text = Find(key);
  if (!text) return fallback;
  const std::string lower = AsciiLowerCase(*text);
  return lower == "true" || (lower != "false" && fallback);
}

int64_t TableProperties::Number(std::string_view key, int64_t fallback) const {
  const auto text = Find(key);
  return text ? ParseNumber(*text).value_or(fallback) : fallback;
}

int64_t TableProperties::Interval(std::string_view key, int64_t fallback_ms) const {
  const auto text = Find(key);
  if (!text) return fallback_ms;
  const auto interval = ParseCalendarInterval(*text);
  const auto micros = interval ? interval->MicrosWithoutMonths() : std::nullopt;
  return micros ? *micros / 1000 : fallback_ms;
}

bool TableProperties::append_only() const { return Boolean("delta.appendOnly", false); }
bool TableProperties::enable_change_data_feed() const {
  return Boolean("delta.enableChangeDataFeed", false);
}
bool TableProperties::enable_deletion_vectors() const {
  return Boolean("delta.enableDeletionVectors", false);
}
int TableProperties::iceberg_compat_version() const {
  for (int version = 1; version <= 3; ++version) {
    if (Boolean("delta.enableIcebergCompatV" + std::to_string(version), false)) return version;
  }
  return 0;
}

bool TableProperties::enable_row_tracking() const {
  return Boolean("delta.enableRowTracking", false);
}
bool TableProperties::enable_type_widening() const {
  return Boolean("delta.enableTypeWidening", false);
}

bool TableProperties::enable_in_commit_timestamps() const {
  return Boolean("delta.enableInCommitTimestamps", false);
}

std::optional<Version> TableProperties::in_commit_timestamp_enablement_version() const {
  const auto text = Find("delta.inCommitTimestampEnablementVersion");
  const auto number = text ? ParseNumber(*text) : std::nullopt;
  if (!number) return std::nullopt;
  return Version(*number);
}

std::optional<int64_t> TableProperties::in_commit_timestamp_enablement_timestamp() const {
  const auto text = Find("delta.inCommitTimestampEnablementTimestamp");
  return text ? ParseNumber(*text) : std::nullopt;
}

ColumnMappingMode TableProperties::column_mapping_mode() const {
  const auto text = Find("delta.columnMapping.mode");
  if (!text) return ColumnMappingMode::kNone;
  return ParseColumnMappingMode(*text).value_or(ColumnMappingMode::kNone);
}

int64_t TableProperties::column_mapping_max_column_id() const {
  return Number("delta.columnMapping.maxColumnId", 0);
}

int32_t TableProperties::checkpoint_interval() const {
  const int64_t interval = Number("delta.checkpointInterval", 10);
  return interval > 0 && interval <= std::numeric_limits<int32_t>::max()
             ? static_cast<int32_t>(interval)
             : 10;
}

bool TableProperties::checkpoint_write_stats_as_json() const {
  return Boolean("delta.checkpoint.writeStatsAsJson", true);
}

bool TableProperties::checkpoint_write_stats_as_struct() const {
  return Boolean("delta.checkpoint.writeStatsAsStruct", true);
}

bool TableProperties::v2_checkpoint_policy() const {
  const auto text = Find("delta.checkpointPolicy");
  return text && AsciiLowerCase(*text) == "v2";
}

Version TableProperties::checkpoint_protection_before_version() const {
  return Version(Number("delta.requireCheckpointProtectionBeforeVersion", 0));
}

int32_t TableProperties::data_skipping_num_indexed_columns() const {
  const int64_t count = Number("delta.dataSkippingNumIndexedCols", 32);
  return count >= -1 && count <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(count)
                                                                     : 32;
}

std::optional<std::string> TableProperties::data_skipping_stats_columns() const {
  const auto text = Find("delta.dataSkippingStatsColumns");
  if (!text) return std::nullopt;
  return std::string(*text);
}

std::string TableProperties::isolation_level() const {
  return std::string(Find("delta.isolationLevel").value_or("Serializable"));
}

int64_t TableProperties::deleted_file_retention_ms() const {
  return Interval("delta.deletedFileRetentionDuration", 7 * kMillisPerDay);
}

int64_t TableProperties::log_retention_ms() const {
  return Interval("delta.logRetentionDuration", 30 * kMillisPerDay);
}

bool TableProperties::enable_expired_log_cleanup() const {
  return Boolean("delta.enableExpiredLogCleanup", true);
}

bool TableProperties::write_partition_columns() const {
  return Boolean("delta.writePartitionColumnsToParquet", false);
}

std::string TableProperties::compression_codec() const {
  return std::string(Find("delta.parquet.compression.codec").value_or(""));
}

std::vector<std::pair<std::string, std::string>> TableProperties::constraints() const {
  constexpr std::string_view kPrefix = "delta.constraints.";
  std::vector<std::pair<std::string, std::string>> found;
  for (auto it = configuration_.lower_bound(kPrefix);
       it != configuration_.end() && it->first.starts_with(kPrefix); ++it) {
    found.emplace_back(it->first.substr(kPrefix.size()), it->second);
  }
  return found;
}

}  // namespace merganser
