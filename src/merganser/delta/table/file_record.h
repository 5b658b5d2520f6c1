#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// An add action packed into consecutive bytes: a fixed head, then path, statistics and partition
/// values, then what few files have. Not a storage format: it never leaves the process.
class FileRecord {
 public:
  explicit FileRecord(const char* bytes) : bytes_(bytes) {}

  /// Bytes that the record of `file` takes.
  static size_t LengthOf(const AddFile& file);
  /// Write the record of `file` to `out`, which has room for it.
  static void Write(const AddFile& file, char* out);

  int64_t size() const { return Head<int64_t>(kSizeAt); }
  int64_t modification_time() const { return Head<int64_t>(kModificationTimeAt); }
  std::string_view path() const { return {bytes_ + kHeadBytes, Head<uint32_t>(kPathLengthAt)}; }
  std::string_view stats() const {
    return {path().data() + path().size(), Head<uint32_t>(kStatsLengthAt)};
  }
  std::optional<std::string_view> partition_value(std::string_view column) const;
  bool has_deletion_vector() const { return (Head<uint32_t>(kFlagsAt) & kHasDeletionVector) != 0; }
  std::optional<DeletionVectorDescriptor> deletion_vector() const { return Read().deletion_vector; }
  std::optional<int64_t> base_row_id() const { return Read().base_row_id; }
  std::optional<int64_t> default_row_commit_version() const {
    return Read().default_row_commit_version;
  }
  AddFile ToAddFile() const;
  /// Bytes of the whole record.
  size_t length() const { return Head<uint32_t>(kLengthAt); }

 private:
  enum Flag : uint32_t {
    kDataChange = 1,
    kHasStats = 2,
    kHasDeletionVector = 4,
    kHasBaseRowId = 8,
    kHasRowCommitVersion = 16,
    kHasClusteringProvider = 32,
    kHasTags = 64,
    kHasOffset = 128,
    kHasMaxRowIndex = 256,
  };
  static constexpr size_t kSizeAt = 0;
  static constexpr size_t kModificationTimeAt = 8;
  static constexpr size_t kLengthAt = 16;
  static constexpr size_t kPathLengthAt = 20;
  static constexpr size_t kStatsLengthAt = 24;
  static constexpr size_t kFlagsAt = 28;
  static constexpr size_t kPartitionCountAt = 32;
  static constexpr size_t kHeadBytes = 36;

  template <typename T>
  T Head(size_t offset) const {
    T value;
    __builtin_memcpy(&value, bytes_ + offset, sizeof(T));
    return value;
  }
  /// What follows the partition values.
  struct Rare {
    std::optional<DeletionVectorDescriptor> deletion_vector;
    std::optional<int64_t> base_row_id;
    std::optional<int64_t> default_row_commit_version;
    std::optional<std::string> clustering_provider;
    std::optional<StringMap> tags;
  };
  Rare Read() const;

  const char* bytes_;
};

}  // namespace merganser
