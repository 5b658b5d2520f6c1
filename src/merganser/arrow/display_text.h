#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "merganser/arrow/column.h"

namespace merganser {

/// How values are shown.
struct DisplayFormat {
  /// Seconds east of UTC of the session's time zone at an instant (microseconds since 1970-01-01).
  /// Empty shows TIMESTAMP values in UTC.
  std::function<int64_t(int64_t)> utc_offset_seconds = {};
};

/// Append the value at `row` of `column` to `out` as a table cell.
///
/// The text is what Spark's `show()` prints: `1.0E10`, `{1, a}`, `[1, 2]`, `{k -> v}`, `NULL` at
/// any depth, binary as `[31 32]`, timestamps without trailing fraction zeros.
void AppendDisplayText(const ArrowColumn& column, int64_t row, const DisplayFormat& format,
                       std::string* out);

}  // namespace merganser
