#include "merganser/cli/text_rows.h"

#include "merganser/arrow/display_text.h"
#include "merganser/arrow/json_value.h"
#include "merganser/cli/zone_offset.h"

namespace merganser {

Status ForEachRow(ResultSet& result, const std::string& session_time_zone, bool with_json,
                  const std::function<void(const std::vector<TextCell>&)>& row) {
  const StructType& schema = result.schema();
  if (schema.empty()) return Status::Ok();
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner arrow_schema, result.ExportSchema());
  const DisplayFormat format{.utc_offset_seconds = ZoneOffset(session_time_zone)};
  std::vector<TextCell> cells(schema.size());
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, result.Next());
    if (!batch) return Status::Ok();
    std::vector<ArrowColumn> columns;
    for (size_t i = 0; i < schema.size(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(
          ArrowColumn column,
          ArrowColumn::Make(*arrow_schema.get().children[i], batch->column(static_cast<int64_t>(i)),
                            schema[i].type));
      columns.push_back(std::move(column));
    }
    for (int64_t r = 0; r < batch->num_rows(); ++r) {
      for (size_t i = 0; i < columns.size(); ++i) {
        cells[i].is_null = columns[i].IsNull(r);
        cells[i].text.clear();
        AppendDisplayText(columns[i], r, format, &cells[i].text);
        cells[i].json.clear();
        if (with_json) AppendJsonValue(columns[i], r, &cells[i].json);
      }
      row(cells);
    }
  }
}

}  // namespace merganser
