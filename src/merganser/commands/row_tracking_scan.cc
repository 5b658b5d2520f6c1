#include "merganser/commands/row_tracking_scan.h"

#include <fmt/format.h>

#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

std::optional<std::string> Text(std::optional<int64_t> value) {
  return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

}  // namespace

void AddRowTracking(const std::vector<FileView>& files, const RowTrackingColumns& columns,
                    engine::ScanSource& source) {
  for (const std::string& name : {columns.row_id, columns.row_commit_version,
                                  std::string(kBaseRowId), std::string(kDefaultRowCommitVersion)}) {
    source.schema.Add({name, DataType::Long(), true, {}});
  }
  for (size_t i = 0; i < files.size(); ++i) {
    source.files[i].constants.emplace_back(kBaseRowId, Text(files[i].base_row_id()));
    source.files[i].constants.emplace_back(kDefaultRowCommitVersion,
                                           Text(files[i].default_row_commit_version()));
  }
}

std::string RowIdSql(const RowTrackingColumns& columns) {
  return fmt::format("coalesce({}, {} + {})", engine::QuoteIdentifier(columns.row_id), kBaseRowId,
                     engine::kFileRowNumberColumn);
}

std::string RowCommitVersionSql(const RowTrackingColumns& columns) {
  return fmt::format("coalesce({}, {})", engine::QuoteIdentifier(columns.row_commit_version),
                     kDefaultRowCommitVersion);
}

}  // namespace merganser
