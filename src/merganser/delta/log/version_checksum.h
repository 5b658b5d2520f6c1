#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// `fileSizeHistogram` of a checksum file.
struct FileSizeHistogram {
  std::vector<int64_t> sorted_bin_boundaries = {};
  std::vector<int64_t> file_counts = {};
  std::vector<int64_t> total_bytes = {};

  bool operator==(const FileSizeHistogram& other) const = default;
};

/// `<version>.crc` ("Version Checksum File Schema" in PROTOCOL.md).
struct VersionChecksum {
  std::optional<std::string> txn_id = {};
  int64_t table_size_bytes = 0;
  int64_t num_files = 0;
  int64_t num_metadata = 1;
  int64_t num_protocol = 1;
  std::optional<int64_t> in_commit_timestamp = {};
  std::optional<std::vector<SetTransaction>> set_transactions = {};
  std::optional<std::vector<DomainMetadata>> domain_metadata = {};
  Metadata metadata = {};
  Protocol protocol = {};
  std::optional<FileSizeHistogram> file_size_histogram = {};
  std::optional<std::vector<AddFile>> all_files = {};
  std::optional<int64_t> num_deleted_records = {};
  std::optional<int64_t> num_deletion_vectors = {};
  /// `deletedRecordCountsHistogramOpt.deletedRecordCounts`, 10 bins.
  std::optional<std::vector<int64_t>> deleted_record_counts = {};

  bool operator==(const VersionChecksum& other) const = default;
};

/// Nothing if the text is malformed: readers go on without.
std::optional<VersionChecksum> ParseVersionChecksum(std::string_view json);
/// One line of JSON.
std::string ToJson(const VersionChecksum& checksum);

}  // namespace merganser
