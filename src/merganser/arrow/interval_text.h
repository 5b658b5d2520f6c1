#pragma once

#include <cstdint>
#include <string>

namespace merganser {

/// Append months as "INTERVAL '1-2' YEAR TO MONTH", limited to the fields of the type.
void AppendYearMonthIntervalText(int64_t months, int start_field, int end_field, std::string* out);

/// Append microseconds as "INTERVAL '1 02:03:04.5' DAY TO SECOND", limited to the fields of the
/// type.
void AppendDayTimeIntervalText(int64_t micros, int start_field, int end_field, std::string* out);

}  // namespace merganser
