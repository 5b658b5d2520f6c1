#include "merganser/commands/data_files.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "merganser/delta/schema/partition_value.h"

namespace merganser {
namespace {

/// Deeper nesting than this is a loop of links.
constexpr int kMaxDepth = 64;

using PartitionFolders = std::vector<std::pair<std::string, std::optional<std::string>>>;

Status Walk(const FileLocation& location, const std::string& relative,
            const PartitionFolders& folders, int depth, std::vector<DataFile>& files) {
  if (depth > kMaxDepth)
    return FileSystemError("list", location.path, "folders are nested too deeply");
  const std::string directory =
      relative.empty() ? location.path : JoinPath(location.path, relative);
  MERGANSER_ASSIGN_OR_RETURN(auto entries, location.file_system->List(directory));
  for (const FileEntry& entry : entries) {
    const auto equal = entry.name.find('=');
    const bool hidden =
        entry.name.starts_with(".") || (entry.name.starts_with("_") && equal == entry.name.npos);
    if (hidden) continue;
    const std::string path = relative.empty() ? entry.name : JoinPath(relative, entry.name);
    if (!entry.is_directory) {
      files.push_back(
          {JoinPath(location.path, path), path, entry.size, entry.modification_time, folders});
      continue;
    }
    PartitionFolders inside = folders;
    if (equal != entry.name.npos) {
      std::optional<std::string> value =
          UnescapePathName(std::string_view(entry.name).substr(equal + 1));
      if (*value == kHiveDefaultPartition) value.reset();
      inside.emplace_back(UnescapePathName(std::string_view(entry.name).substr(0, equal)),
                          std::move(value));
    }
    MERGANSER_RETURN_IF_ERROR(Walk(location, path, inside, depth + 1, files));
  }
  return Status::Ok();
}

template <typename Number>
bool Reads(const std::string& text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size();
}

DataType TypeOf(const std::string& text) {
  if (Reads<int32_t>(text)) return DataType::Integer();
  if (Reads<int64_t>(text)) return DataType::Long();
  if (Reads<double>(text)) return DataType::Double();
  if (ParsePartitionValue(DataType::Date(), text).ok()) return DataType::Date();
  return DataType::String();
}

DataType Wider(const DataType& left, const DataType& right) {
  if (left.is(TypeId::kNull)) return right;
  if (right.is(TypeId::kNull) || left.SameType(right)) return left;
  if (left.is_numeric() && right.is_numeric()) return left.id() > right.id() ? left : right;
  return DataType::String();
}

}  // namespace

Result<std::vector<DataFile>> ListDataFiles(const FileLocation& location) {
  std::vector<DataFile> files;
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, location.file_system->Stat(location.path));
  if (!entry) return Error(ErrorClass::PATH_NOT_FOUND, {{"path", location.uri}});
  if (!entry->is_directory) {
    files.push_back({location.path, entry->name, entry->size, entry->modification_time, {}});
    return files;
  }
  MERGANSER_RETURN_IF_ERROR(Walk(location, "", {}, 0, files));
  std::ranges::sort(files, {}, &DataFile::path);
  return files;
}

StructType InferPartitionColumns(const std::vector<DataFile>& files) {
  StructType columns;
  for (const DataFile& file : files) {
    for (const auto& [name, value] : file.partition_values) {
      int index = columns.IndexOf(name, /*case_sensitive=*/true);
      if (index < 0) {
        index = static_cast<int>(columns.size());
        columns.Add({name, DataType::Null(), true, {}});
      }
      DataType& type = columns.fields()[static_cast<size_t>(index)].type;
      if (value) type = Wider(type, TypeOf(*value));
    }
  }
  for (StructField& column : columns.fields()) {
    if (column.type.is(TypeId::kNull)) column.type = DataType::String();
  }
  return columns;
}

}  // namespace merganser
