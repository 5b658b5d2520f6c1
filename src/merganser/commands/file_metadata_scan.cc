#include "merganser/commands/file_metadata_scan.h"

#include <fmt/format.h>

#include "merganser/commands/row_tracking_scan.h"
#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/file_metadata.h"

namespace merganser {
namespace {

constexpr const char* kFileSize = "_mg_file_size";
constexpr const char* kFileModificationTime =
    "_mg_file_modification_time";  // Microseconds since the epoch.

std::string ValueOf(const std::string& field, const std::optional<RowTrackingColumns>& tracking) {
  if (field == "file_path") return fmt::format("'file:' || {}", engine::kFilePathColumn);
  if (field == "file_name") return fmt::format("parse_filename({})", engine::kFilePathColumn);
  if (field == "file_size" || field == "file_block_length") return kFileSize;
  if (field == "file_block_start") return "CAST(0 AS BIGINT)";
  if (field == "file_modification_time")
    return fmt::format("make_timestamptz({})", kFileModificationTime);
  if (tracking) {
    if (field == "row_id") return RowIdSql(*tracking);
    if (field == "row_commit_version") return RowCommitVersionSql(*tracking);
    if (field == "base_row_id") return kBaseRowId;
    if (field == "default_row_commit_version") return kDefaultRowCommitVersion;
  }
  return "CAST(NULL AS BIGINT)";
}

}  // namespace

void AddFileMetadata(const std::vector<FileView>& files,
                     const std::optional<RowTrackingColumns>& tracking,
                     engine::ScanSource& source) {
  if (tracking) AddRowTracking(files, *tracking, source);
  for (const char* name : {kFileSize, kFileModificationTime})
    source.schema.Add({name, DataType::Long(), true, {}});
  for (size_t i = 0; i < files.size(); ++i) {
    auto& constants = source.files[i].constants;
    constants.emplace_back(kFileSize, std::to_string(files[i].size()));
    constants.emplace_back(kFileModificationTime,
                           std::to_string(files[i].modification_time() * 1000));
  }
}

std::string WithFileMetadata(const std::string& scan, const Snapshot& snapshot,
                             const std::optional<RowTrackingColumns>& tracking) {
  const DataType type = FileMetadataType(snapshot);
  std::string fields;
  for (const StructField& field : type.fields()) {
    fields += fmt::format("{}{} := {}", fields.empty() ? "" : ", ",
                          engine::QuoteIdentifier(field.name), ValueOf(field.name, tracking));
  }
  return fmt::format(
      "(SELECT *, {}, {}, {}, struct_pack({}) AS _metadata FROM {} AS with_metadata)",
      engine::kFileIndexColumn, engine::kFileRowNumberColumn, engine::kFilePathColumn, fields,
      scan);
}

}  // namespace merganser
