#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/delta/log/log_replay.h"
#include "merganser/delta/log/log_segment.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/delta/table/file_list.h"
#include "merganser/io/file_systems.h"

namespace merganser {

class Snapshot;
using SnapshotRef = std::shared_ptr<const Snapshot>;

/// A table at one version. Immutable and shared between threads.
class Snapshot : public std::enable_shared_from_this<Snapshot> {
 public:
  /// Load the newest version of the table in the folder `table`, or `version`.
  ///
  /// Returns null if the folder holds no Delta table (no `_delta_log`, or one without commits):
  /// what that means is the caller's to say. The protocol is checked for reading before anything
  /// else is taken from the log. Fails with DELTA_VERSION_NOT_FOUND for a version that does not
  /// exist or cannot be rebuilt, DELTA_UNSUPPORTED_FEATURES_FOR_READ and
  /// DELTA_INVALID_PROTOCOL_VERSION (kUnsupported), DELTA_STATE_RECOVER_ERROR where protocol or
  /// metadata are missing, DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA, and kCorruption or kIo classes.
  static Result<SnapshotRef> Load(FileLocation table, std::shared_ptr<CheckpointCodec> codec,
                                  std::optional<Version> version = std::nullopt);

  /// The newest version: this very snapshot if nothing was committed, else one that shares what did
  /// not change. Reads only what was committed since.
  Result<SnapshotRef> Refresh() const;

  Version version() const { return segment_.version; }
  const FileLocation& table() const { return table_; }
  const std::string& path() const { return table_.path; }
  FileSystem& file_system() const { return *table_.file_system; }
  const std::shared_ptr<CheckpointCodec>& codec() const { return codec_; }
  const LogSegment& segment() const { return segment_; }

  const Protocol& protocol() const { return protocol_; }
  const Metadata& metadata() const { return metadata_; }
  const TableProperties& properties() const { return properties_; }
  /// Logical schema, partition columns included.
  const StructType& schema() const { return schema_; }
  /// The schema with the names that data files, statistics and partition values use.
  const StructType& physical_schema() const { return physical_schema_; }
  ColumnMappingMode column_mapping_mode() const { return column_mapping_mode_; }
  /// Logical names.
  const std::vector<std::string>& partition_columns() const { return metadata_.partition_columns; }
  bool is_partition_column(std::string_view name) const;
  bool Supports(std::string_view feature) const;

  const FileList& files() const { return files_; }
  int64_t size_in_bytes() const { return files_.total_bytes(); }

  /// Newest version an application has committed.
  std::optional<int64_t> TransactionVersion(std::string_view app_id) const;
  const std::map<std::string, SetTransaction, std::less<>>& set_transactions() const {
    return set_transactions_;
  }
  const std::map<std::string, DomainMetadata, std::less<>>& domain_metadata() const {
    return domain_metadata_;
  }

  /// When the version was committed, in milliseconds since the epoch: its in-commit timestamp where
  /// the table has them, else the modification time of the commit file.
  int64_t timestamp() const { return timestamp_; }

  /// Tombstones of removed files, read from the log on every call. Used to write checkpoints and to
  /// vacuum.
  Result<std::vector<RemoveFile>> ReadTombstones() const;

 private:
  Snapshot() = default;
  static Result<SnapshotRef> FromSegment(FileLocation table, std::shared_ptr<CheckpointCodec> codec,
                                         LogSegment segment);
  Status Interpret();
  void SetTimestamp(const std::optional<CommitInfo>& commit_info);

  FileLocation table_;
  std::shared_ptr<CheckpointCodec> codec_;
  LogSegment segment_;
  Protocol protocol_;
  Metadata metadata_;
  TableProperties properties_;
  StructType schema_;
  StructType physical_schema_;
  ColumnMappingMode column_mapping_mode_ = ColumnMappingMode::kNone;
  FileList files_;
  std::map<std::string, SetTransaction, std::less<>> set_transactions_;
  std::map<std::string, DomainMetadata, std::less<>> domain_metadata_;
  int64_t timestamp_ = 0;
};

}  // namespace merganser
