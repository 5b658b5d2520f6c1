#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/conf_entry.h"
#include "merganser/config/store_assignment_policy.h"

namespace merganser {

/// Which target rows a MERGE calls ambiguous.
enum class MultiMatchRule : uint8_t {
  kActing,  ///< Two source rows would both act on it.
  kOn,      ///< Two source rows satisfy ON (open-source Delta).
};

/// The settings of one session. Any key can be stored; known ones are checked when set and have
/// typed accessors.
///
/// A plain value; not safe to change while another thread reads it.
class SessionConf {
 public:
  using Values = std::map<std::string, std::string, std::less<>>;

  SessionConf() = default;
  /// Starts from `initial`, which RESET goes back to. Static keys are allowed. Fails with
  /// INVALID_CONF_VALUE.
  static Result<SessionConf> WithInitial(Values initial);

  /// SET key=value. Fails with CANNOT_MODIFY_STATIC_CONFIG, CANNOT_MODIFY_CONFIG or
  /// INVALID_CONF_VALUE; then nothing is changed. The text is kept as given.
  Status Set(std::string_view key, std::string_view value);
  /// RESET key: back to the initial value or the default. Fails with CANNOT_MODIFY_STATIC_CONFIG.
  Status Unset(std::string_view key);
  /// RESET: everything back to the initial values.
  void Reset();

  /// The value in force: set, initial or default; nothing if there is none.
  std::optional<std::string> Find(std::string_view key) const;
  /// The same. Fails with SQL_CONF_NOT_FOUND if there is none.
  Result<std::string> Get(std::string_view key) const;
  /// Whether the key has a value that is not just its default.
  bool IsSet(std::string_view key) const;
  /// Whether SET would be allowed.
  bool IsModifiable(std::string_view key) const;
  /// All keys with a value that was set or given at the start.
  const Values& explicit_values() const { return values_; }
  /// The explicit values whose keys start with `prefix`, the prefix cut off.
  Values WithPrefix(std::string_view prefix) const;

  // Known keys of a type; each requires an entry of that type which has a default, or a value.
  bool GetBoolean(std::string_view key) const;
  int64_t GetInteger(std::string_view key) const;
  double GetDouble(std::string_view key) const;
  std::string GetString(std::string_view key) const;

  // Language.
  bool ansi_enabled() const { return GetBoolean("spark.sql.ansi.enabled"); }
  bool case_sensitive() const { return GetBoolean("spark.sql.caseSensitive"); }
  /// A region name or "+hh:mm", in the form that CanonicalTimeZone gives.
  std::string session_time_zone() const;
  StoreAssignmentPolicy store_assignment_policy() const;
  /// TIMESTAMP means TIMESTAMP_NTZ.
  bool timestamp_is_ntz() const;
  bool legacy_char_varchar_as_string() const {
    return GetBoolean("spark.sql.legacy.charVarcharAsString");
  }
  /// INSERT OVERWRITE replaces only the partitions it writes.
  bool dynamic_partition_overwrite() const;
  /// The format of CREATE TABLE without USING.
  std::string default_source() const { return GetString("spark.sql.sources.default"); }
  std::string warehouse_dir() const { return GetString("spark.sql.warehouse.dir"); }
  std::string default_catalog() const { return GetString("spark.sql.defaultCatalog"); }
  bool group_by_ordinal() const { return GetBoolean("spark.sql.groupByOrdinal"); }
  bool order_by_ordinal() const { return GetBoolean("spark.sql.orderByOrdinal"); }
  bool group_by_aliases() const { return GetBoolean("spark.sql.groupByAliases"); }

  // Writing.
  bool schema_auto_merge() const {
    return GetBoolean("spark.databricks.delta.schema.autoMerge.enabled");
  }
  /// Tasks that write rows sent along with a statement; 0 takes one a thread.
  int64_t leaf_node_default_parallelism() const {
    return GetInteger("spark.sql.leafNodeDefaultParallelism");
  }
  int64_t max_records_per_file() const { return GetInteger("spark.sql.files.maxRecordsPerFile"); }
  std::string parquet_compression_codec() const {
    return GetString("spark.sql.parquet.compression.codec");
  }
  std::optional<std::string> user_metadata() const {
    return Find("spark.databricks.delta.commitInfo.userMetadata");
  }
  int64_t max_commit_attempts() const {
    return GetInteger("spark.databricks.delta.maxCommitAttempts");
  }
  bool history_metrics_enabled() const {
    return GetBoolean("spark.databricks.delta.history.metricsEnabled");
  }
  bool skip_recording_empty_commits() const {
    return GetBoolean("spark.databricks.delta.skipRecordingEmptyCommits");
  }
  bool collect_statistics() const { return GetBoolean("spark.databricks.delta.stats.collect"); }
  bool data_skipping_enabled() const { return GetBoolean("spark.databricks.delta.stats.skipping"); }
  bool write_checksum_file() const {
    return GetBoolean("spark.databricks.delta.writeChecksumFile.enabled");
  }

  // Idempotent writes.
  std::optional<std::string> txn_app_id() const {
    return Find("spark.databricks.delta.write.txnAppId");
  }
  std::optional<int64_t> txn_version() const;
  bool txn_version_auto_reset() const {
    return GetBoolean("spark.databricks.delta.write.txnVersion.autoReset.enabled");
  }

  // MERGE.
  MultiMatchRule multi_match_rule() const;
  bool merge_optimize_insert_only() const {
    return GetBoolean("spark.databricks.delta.merge.optimizeInsertOnlyMerge.enabled");
  }
  bool merge_optimize_matched_only() const {
    return GetBoolean("spark.databricks.delta.merge.optimizeMatchedOnlyMerge.enabled");
  }
  bool merge_repartition_before_write() const {
    return GetBoolean("spark.databricks.delta.merge.repartitionBeforeWrite.enabled");
  }
  bool merge_deletion_vectors() const {
    return GetBoolean("spark.databricks.delta.merge.deletionVectors.persistent");
  }
  bool update_deletion_vectors() const {
    return GetBoolean("spark.databricks.delta.update.deletionVectors.persistent");
  }
  bool delete_deletion_vectors() const {
    return GetBoolean("spark.databricks.delta.delete.deletionVectors.persistent");
  }
  bool merge_preserve_null_source_structs() const {
    return GetBoolean("spark.databricks.delta.merge.preserveNullSourceStructs");
  }
  bool merge_preserve_null_source_structs_update_star() const {
    return GetBoolean("spark.databricks.delta.merge.preserveNullSourceStructs.updateStar");
  }
  bool merge_resolve_update_structs_by_name() const {
    return GetBoolean("spark.databricks.delta.resolveMergeUpdateStructsByName.enabled");
  }
  /// UPDATE and MERGE cast as ANSI mode says, not as the store assignment policy says.
  bool update_and_merge_casting_follows_ansi() const {
    return GetBoolean("spark.databricks.delta.updateAndMergeCastingFollowsAnsiEnabledFlag");
  }
  /// "always", "same_family_type" or "never".
  std::string automatic_type_widening() const;

  // Maintenance.
  bool retention_duration_check() const {
    return GetBoolean("spark.databricks.delta.retentionDurationCheck.enabled");
  }
  int64_t optimize_min_file_size() const {
    return GetInteger("spark.databricks.delta.optimize.minFileSize");
  }
  int64_t optimize_max_file_size() const {
    return GetInteger("spark.databricks.delta.optimize.maxFileSize");
  }
  double optimize_max_deleted_rows_ratio() const {
    return GetDouble("spark.databricks.delta.optimize.maxDeletedRowsRatio");
  }
  /// Most file actions of one part or sidecar of a checkpoint, if limited.
  std::optional<int64_t> checkpoint_part_size() const;
  /// The main file of a V2 checkpoint is JSON.
  bool json_checkpoint_main_file() const;
  /// MERGE, UPDATE and DELETE that lose to another writer run again.
  bool rerun_on_conflict() const {
    return GetBoolean("spark.databricks.delta.rerunOnConflict.enabled");
  }
  bool allow_arbitrary_table_properties() const {
    return GetBoolean("spark.databricks.delta.allowArbitraryProperties.enabled");
  }

 private:
  Values initial_;
  Values values_;
};

}  // namespace merganser
