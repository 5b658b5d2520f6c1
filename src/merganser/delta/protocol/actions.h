#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/base/version.h"

namespace merganser {

/// String to string, in key order.
using StringMap = std::map<std::string, std::string, std::less<>>;

/// Partition column (physical name) to value in the log's text form; nothing is NULL. Few entries,
/// in the order of the log.
using PartitionValues = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// `protocol`: what a client must implement ("Protocol Evolution" in PROTOCOL.md).
struct Protocol {
  int32_t min_reader_version = 1;
  int32_t min_writer_version = 1;
  /// Present exactly when min_reader_version is 3.
  std::optional<std::vector<std::string>> reader_features = {};
  /// Present exactly when min_writer_version is 7.
  std::optional<std::vector<std::string>> writer_features = {};

  bool operator==(const Protocol& other) const = default;
};

/// `metaData.format`.
struct TableFormat {
  std::string provider = "parquet";
  StringMap options = {};

  bool operator==(const TableFormat& other) const = default;
};

/// `metaData` ("Change Metadata"). The schema stays text here; `Snapshot` holds it parsed.
struct Metadata {
  std::string id = {};
  std::optional<std::string> name = {};
  std::optional<std::string> description = {};
  TableFormat format = {};
  std::string schema_string = {};
  std::vector<std::string> partition_columns = {};  ///< Logical names.
  StringMap configuration = {};
  std::optional<int64_t> created_time = {};  ///< Milliseconds since the epoch.

  bool operator==(const Metadata& other) const = default;
};

/// Pointer to a deletion vector ("Deletion Vector Descriptor Schema").
struct DeletionVectorDescriptor {
  enum class Storage : char {
    kInline = 'i',
    kRelativeFile = 'u',
    kAbsoluteFile = 'p',
  };
  Storage storage = Storage::kInline;
  std::string path_or_inline_dv = {};
  std::optional<int32_t> offset = {};
  int32_t size_in_bytes = 0;
  int64_t cardinality = 0;
  std::optional<int64_t> max_row_index = {};

  /// What tells two vectors of one file apart ("Derived Fields").
  std::string UniqueId() const;

  bool operator==(const DeletionVectorDescriptor& other) const = default;
};

/// `add`: a logical file of the table. `path` is URI-encoded, as in the log; see DataFilePath.
struct AddFile {
  std::string path = {};
  PartitionValues partition_values = {};
  int64_t size = 0;
  int64_t modification_time = 0;  ///< Milliseconds since the epoch.
  bool data_change = true;
  std::optional<std::string> stats = {};  ///< JSON text, see FileStatistics.
  std::optional<StringMap> tags = {};
  std::optional<DeletionVectorDescriptor> deletion_vector = {};
  std::optional<int64_t> base_row_id = {};
  std::optional<int64_t> default_row_commit_version = {};
  std::optional<std::string> clustering_provider = {};

  bool operator==(const AddFile& other) const = default;
};

/// `remove`: the tombstone of a logical file.
struct RemoveFile {
  std::string path = {};
  std::optional<int64_t> deletion_timestamp = {};  ///< Milliseconds since the epoch.
  bool data_change = true;
  std::optional<bool> extended_file_metadata = {};
  std::optional<PartitionValues> partition_values = {};
  std::optional<int64_t> size = {};
  std::optional<std::string> stats = {};
  std::optional<StringMap> tags = {};
  std::optional<DeletionVectorDescriptor> deletion_vector = {};
  std::optional<int64_t> base_row_id = {};
  std::optional<int64_t> default_row_commit_version = {};

  bool operator==(const RemoveFile& other) const = default;
};

/// `cdc`: a file of changed rows.
struct AddCdcFile {
  std::string path = {};
  PartitionValues partition_values = {};
  int64_t size = 0;
  bool data_change = false;
  std::optional<StringMap> tags = {};

  bool operator==(const AddCdcFile& other) const = default;
};

/// `txn`: progress of an application.
struct SetTransaction {
  std::string app_id = {};
  int64_t version = 0;
  std::optional<int64_t> last_updated = {};  ///< Milliseconds since the epoch.

  bool operator==(const SetTransaction& other) const = default;
};

/// `commitInfo`: who committed and why. Any JSON is allowed here; fields this build does not know
/// are kept in `other`.
struct CommitInfo {
  std::optional<int64_t> in_commit_timestamp = {};  ///< Milliseconds since the epoch.
  std::optional<int64_t> timestamp = {};            ///< Milliseconds since the epoch.
  std::optional<std::string> user_id = {};
  std::optional<std::string> user_name = {};
  std::optional<std::string> operation = {};
  /// Parameter to value as it stands in JSON: text in quotes, numbers, objects.
  std::map<std::string, std::string, std::less<>> operation_parameters = {};
  std::optional<std::string> cluster_id = {};
  std::optional<int64_t> read_version = {};
  std::optional<std::string> isolation_level = {};
  std::optional<bool> is_blind_append = {};
  /// Metric to value; values are text in the log.
  std::optional<StringMap> operation_metrics = {};
  std::optional<std::string> user_metadata = {};
  std::optional<StringMap> tags = {};
  std::optional<std::string> engine_info = {};
  std::optional<std::string> txn_id = {};
  /// Other fields: name to JSON text.
  StringMap other = {};

  bool operator==(const CommitInfo& other_info) const = default;
};

/// `domainMetadata`.
struct DomainMetadata {
  std::string domain = {};
  std::string configuration = {};
  bool removed = false;

  bool operator==(const DomainMetadata& other) const = default;
};

/// `checkpointMetadata`, only in V2 checkpoints.
struct CheckpointMetadata {
  Version version = Version::None();
  std::optional<StringMap> tags = {};

  bool operator==(const CheckpointMetadata& other) const = default;
};

/// `sidecar`, only in V2 checkpoints. `path` is a name in `_delta_log/_sidecars` or a whole path.
struct Sidecar {
  std::string path = {};
  int64_t size_in_bytes = 0;
  int64_t modification_time = 0;  ///< Milliseconds since the epoch.
  std::optional<StringMap> tags = {};

  bool operator==(const Sidecar& other) const = default;
};

using Action = std::variant<Protocol, Metadata, AddFile, RemoveFile, AddCdcFile, SetTransaction,
                            CommitInfo, DomainMetadata, CheckpointMetadata, Sidecar>;

}  // namespace merganser
