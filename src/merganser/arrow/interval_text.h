#pragma once

#include <cstdint>
#include <string>

#include "merganser/base/calendar_interval.h"

namespace merganser {

/// Append "1 years 2 months 3 days 4.5 seconds"; "0 seconds" for nothing.
void AppendCalendarIntervalText(const CalendarInterval& interval, std::string* out);

/// Append months as "INTERVAL '1-2' YEAR TO MONTH", limited to the fields of the type.
void AppendYearMonthIntervalText(int64_t months, int start_field, int end_field, std::string* out);

/// Append microseconds as "INTERVAL '1 02:03:04.5' DAY TO SECOND", limited to the fields of the
/// type.
void AppendDayTimeIntervalText(int64_t micros, int start_field, int end_field, std::string* out);

}  // namespace merganser
