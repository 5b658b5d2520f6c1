#include "merganser/delta/table/file_record.h"

#include <cstring>
#include <utility>

namespace merganser {
namespace {

constexpr uint32_t kNullLength = UINT32_MAX;

size_t TextLength(std::string_view text) { return sizeof(uint32_t) + text.size(); }

/// Puts values one behind the other.
class Writer {
 public:
  explicit Writer(char* position) : position_(position) {}

  template <typename T>
  void Put(T value) {
    std::memcpy(position_, &value, sizeof(T));
    position_ += sizeof(T);
  }
  void PutBytes(std::string_view bytes) {
    std::memcpy(position_, bytes.data(), bytes.size());
    position_ += bytes.size();
  }
  void PutText(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    PutBytes(text);
  }

 private:
  char* position_;
};

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

size_t FileRecord::LengthOf(const AddFile& file) {
  size_t length = kHeadBytes + file.path.size() + (file.stats ? file.stats->size() : 0);
  for (const auto& [name, value] : file.partition_values)
    length += TextLength(name) + TextLength(value ? *value : std::string_view());
  if (const auto& vector = file.deletion_vector) {
    length += sizeof(char) + TextLength(vector->path_or_inline_dv) + sizeof(int32_t) +
              sizeof(int64_t) + (vector->offset ? sizeof(int32_t) : 0) +
              (vector->max_row_index ? sizeof(int64_t) : 0);
  }
  if (file.base_row_id) length += sizeof(int64_t);
  if (file.default_row_commit_version) length += sizeof(int64_t);
  if (file.clustering_provider) length += TextLength(*file.clustering_provider);
  if (file.tags) {
    length += sizeof(uint32_t);
    for (const auto& [key, value] : *file.tags) length += TextLength(key) + TextLength(value);
  }
  return length;
}

void FileRecord::Write(const AddFile& file, char* out) {
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

  Writer writer(out);
  writer.Put(file.size);
  writer.Put(file.modification_time);
  writer.Put(static_cast<uint32_t>(LengthOf(file)));
  writer.Put(static_cast<uint32_t>(file.path.size()));
  writer.Put(static_cast<uint32_t>(file.stats ? file.stats->size() : 0));
  writer.Put(flags);
  writer.Put(static_cast<uint32_t>(file.partition_values.size()));
  writer.PutBytes(file.path);
  if (file.stats) writer.PutBytes(*file.stats);
  for (const auto& [name, value] : file.partition_values) {
    writer.PutText(name);
    if (value) {
      writer.PutText(*value);
    } else {
      writer.Put(kNullLength);
    }
  }
  if (vector) {
    writer.Put(static_cast<char>(vector->storage));
    writer.PutText(vector->path_or_inline_dv);
    writer.Put(vector->size_in_bytes);
    writer.Put(vector->cardinality);
    if (vector->offset) writer.Put(*vector->offset);
    if (vector->max_row_index) writer.Put(*vector->max_row_index);
  }
  if (file.base_row_id) writer.Put(*file.base_row_id);
  if (file.default_row_commit_version) writer.Put(*file.default_row_commit_version);
  if (file.clustering_provider) writer.PutText(*file.clustering_provider);
  if (file.tags) {
    writer.Put(static_cast<uint32_t>(file.tags->size()));
    for (const auto& [key, value] : *file.tags) {
      writer.PutText(key);
      writer.PutText(value);
    }
  }
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
