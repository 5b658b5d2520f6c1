#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/arrow/interval_text.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// Read a year-month interval of type `type`: "1-2", "-5", "INTERVAL '1-2' YEAR TO MONTH". Months.
/// Fails with INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING or INTERVAL_ARITHMETIC_OVERFLOW.
Result<int32_t> ParseYearMonthInterval(std::string_view text, const DataType& type);

/// Read a day-time interval: "1 02:03:04.5", "INTERVAL '1 2' DAY TO HOUR". Microseconds.
/// Fails with INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE or others of that class.
Result<int64_t> ParseDayTimeInterval(std::string_view text, const DataType& type);

/// Read "1 year 2 days", "interval 3 hours -1.5 seconds". nullopt if malformed or too large.
std::optional<CalendarInterval> ParseCalendarInterval(std::string_view text);

/// "INTERVAL '1-2' YEAR TO MONTH".
std::string YearMonthIntervalText(int32_t months, const DataType& type);
/// "INTERVAL '1 02:03:04.5' DAY TO SECOND".
std::string DayTimeIntervalText(int64_t micros, const DataType& type);
/// "1 years 2 months 3 days 4.5 seconds"; "0 seconds".
std::string CalendarIntervalText(const CalendarInterval& interval);

/// Microseconds in the unit of a day-time field: 0 = DAY .. 3 = SECOND.
int64_t DayTimeFieldMicros(int field);

}  // namespace merganser::engine
