#include "merganser/delta/table/file_record.h"

#include <cstring>
#include <utility>

namespace merganser {
namespace {

constexpr uint32_t kNullLength = UINT32_MAX;

template <typename T>
void Append(T value, std::string* out) {
  out->append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void AppendText(std::string_view text, std::string* out) {
  Append(static_cast<uint32_t>(text.size()), out);
  out->append(text);
}

/// Takes values off the front of a record's body.
class Cursor {
 public:
  explicit Cursor(const char* position) : position_(position) {}

  template <typename T>
  T Take() {
    T value;
    std::memcpy(&value, position_, sizeof(T));
    position_ += sizeof(T);
    return value;
  }
  std::string_view TakeBytes(uint32_t length) {
    const std::string_view bytes(position_, length);
    position_ += length;
    return bytes;
  }
  std::string_view TakeText() { return TakeBytes(Take<uint32_t>()); }
  /// Name and value of a partition column.
  std::pair<std::string_view, std::optional<std::string_view>> TakePartition() {
    const std::string_view name = TakeText();
    const auto length = Take<uint32_t>();
    if (length == kNullLength) return {name, std::nullopt};
    return {name, TakeBytes(length)};
  }

 private:
  const char* position_;
};

}  // namespace

void FileRecord::Write(const AddFile& file, std::string* out) {
  uint32_t flags = 0;
  const auto flag = [&](bool is_set, Flag bit) { flags |= is_set ? bit : 0u; };
  const auto& vector = file.deletion_vector;
  flag(file.data_change, kDataChange);
  flag(file.stats.has_value(), kHasStats);
  flag(vector.has_value(), kHasDeletionVector);
  flag(vector && vector->offset, kHasOffset);
  flag(vector && vector->max_row_index, kHasMaxRowIndex);
  flag(file.base_row_id.has_value(), kHasBaseRowId);
  flag(file.default_row_commit_version.has_value(), kHasRowCommitVersion);
  flag(file.clustering_provider.has_value(), kHasClusteringProvider);
  flag(file.tags.has_value(), kHasTags);

  out->clear();
  Append(file.size, out);
  Append(file.modification_time, out);
  Append(uint32_t{0}, out);  // The length, known at the end.
  Append(static_cast<uint32_t>(file.path.size()), out);
  Append(static_cast<uint32_t>(file.stats ? file.stats->size() : 0), out);
  Append(flags, out);
  Append(static_cast<uint32_t>(file.partition_values.size()), out);
  out->append(file.path);
  if (file.stats) out->append(*file.stats);
  for (const auto& [name, value] : file.partition_values) {
    AppendText(name, out);
    if (value) {
      AppendText(*value, out);
    } else {
      Append(kNullLength, out);
    }
  }
  if (vector) {
    Append(static_cast<char>(vector->storage), out);
    AppendText(vector->path_or_inline_dv, out);
    Append(vector->size_in_bytes, out);
    Append(vector->cardinality, out);
    if (vector->offset) Append(*vector->offset, out);
    if (vector->max_row_index) Append(*vector->max_row_index, out);
  }
  if (file.base_row_id) Append(*file.base_row_id, out);
  if (file.default_row_commit_version) Append(*file.default_row_commit_version, out);
  if (file.clustering_provider) AppendText(*file.clustering_provider, out);
  if (file.tags) {
    Append(static_cast<uint32_t>(file.tags->size()), out);
    for (const auto& [key, value] : *file.tags) {
      AppendText(key, out);
      AppendText(value, out);
    }
  }
  const auto length = static_cast<uint32_t>(out->size());
  std::memcpy(out->data() + kLengthAt, &length, sizeof(length));
}

std::optional<std::string_view> FileRecord::partition_value(std::string_view column) const {
  Cursor cursor(stats().data() + stats().size());
  for (uint32_t left = Head<uint32_t>(kPartitionCountAt); left > 0; --left) {
    const auto [name, value] = cursor.TakePartition();
    if (name == column) return value;
  }
  return std::nullopt;
}

FileRecord::Rare FileRecord::Read() const {
  Rare rare;
  const auto flags = Head<uint32_t>(kFlagsAt);
  Cursor cursor(stats().data() + stats().size());
  for (uint32_t left = Head<uint32_t>(kPartitionCountAt); left > 0; --left) cursor.TakePartition();
  if ((flags & kHasDeletionVector) != 0) {
    DeletionVectorDescriptor& vector = rare.deletion_vector.emplace();
    vector.storage = static_cast<DeletionVectorDescriptor::Storage>(cursor.Take<char>());
    vector.path_or_inline_dv = cursor.TakeText();
    vector.size_in_bytes = cursor.Take<int32_t>();
    vector.cardinality = cursor.Take<int64_t>();
    if ((flags & kHasOffset) != 0) vector.offset = cursor.Take<int32_t>();
    if ((flags & kHasMaxRowIndex) != 0) vector.max_row_index = cursor.Take<int64_t>();
  }
  if ((flags & kHasBaseRowId) != 0) rare.base_row_id = cursor.Take<int64_t>();
  if ((flags & kHasRowCommitVersion) != 0) rare.default_row_commit_version = cursor.Take<int64_t>();
  if ((flags & kHasClusteringProvider) != 0) rare.clustering_provider = cursor.TakeText();
  if ((flags & kHasTags) != 0) {
    StringMap& tags = rare.tags.emplace();
    for (auto left = cursor.Take<uint32_t>(); left > 0; --left) {
      const std::string_view key = cursor.TakeText();
      tags.emplace(key, cursor.TakeText());
    }
  }
  return rare;
}

AddFile FileRecord::ToAddFile() const {
  const auto flags = Head<uint32_t>(kFlagsAt);
  Rare rare = Read();
  AddFile file;
  file.path = path();
  Cursor cursor(stats().data() + stats().size());
  for (uint32_t left = Head<uint32_t>(kPartitionCountAt); left > 0; --left) {
    const auto [name, value] = cursor.TakePartition();
    file.partition_values.emplace_back(name, value);
  }
  file.size = size();
  file.modification_time = modification_time();
  file.data_change = (flags & kDataChange) != 0;
  if ((flags & kHasStats) != 0) file.stats = stats();
  file.tags = std::move(rare.tags);
  file.deletion_vector = std::move(rare.deletion_vector);
  file.base_row_id = rare.base_row_id;
  file.default_row_commit_version = rare.default_row_commit_version;
  file.clustering_provider = std::move(rare.clustering_provider);
  return file;
}

}  // namespace merganser
