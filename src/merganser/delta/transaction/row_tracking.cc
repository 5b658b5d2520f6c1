#include "merganser/delta/transaction/row_tracking.h"

#include "merganser/base/json.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {

std::optional<int64_t> ParseRowIdHighWaterMark(std::string_view configuration) {
  const auto json = Json::Parse(configuration);
  if (!json.ok()) return std::nullopt;
  const Json* mark = json->find("rowIdHighWaterMark");
  if (mark == nullptr || !mark->is_int()) return std::nullopt;
  return mark->as_int();
}

int64_t RowIdHighWaterMark(const Snapshot& snapshot) {
  const auto found = snapshot.domain_metadata().find(kRowTrackingDomain);
  if (found == snapshot.domain_metadata().end()) return -1;
  return ParseRowIdHighWaterMark(found->second.configuration).value_or(-1);
}

Result<int64_t> AssignRowIds(std::vector<AddFile>& files, int64_t high_water_mark,
                             Version version) {
  for (AddFile& file : files) {
    if (!file.default_row_commit_version) file.default_row_commit_version = version.value();
    if (file.base_row_id) continue;
    const auto rows = file.stats ? ParseNumRecords(*file.stats) : std::nullopt;
    if (!rows)
      return Error::Internal("a file of a table with row tracking has no row count: " + file.path);
    file.base_row_id = high_water_mark + 1;
    high_water_mark += *rows;
  }
  return high_water_mark;
}

DomainMetadata RowIdHighWaterMarkAction(int64_t high_water_mark) {
  Json json = Json::MakeObject();
  json["rowIdHighWaterMark"] = high_water_mark;
  return DomainMetadata{std::string(kRowTrackingDomain), json.Dump(), false};
}

}  // namespace merganser
