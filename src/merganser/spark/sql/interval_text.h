#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/calendar_interval.h"
#include "merganser/base/result.h"
#include "merganser/spark/plan/literal.h"

namespace merganser {

/// Read `1 day -2 hours 1.5 seconds`, any case. As ParseCalendarInterval, but says what is wrong:
/// INVALID_INTERVAL_FORMAT.*.
Result<CalendarInterval> ReadIntervalUnits(std::string_view text);

/// Read the text between the quotes of `INTERVAL '1-2' YEAR TO MONTH` and its like. `from` and `to`
/// are units in lower case. Fails with INVALID_INTERVAL_FORMAT.*, and with _LEGACY_ERROR_TEMP_0063
/// for a part out of its range.
Result<plan::Literal> ReadIntervalFromTo(std::string_view text, std::string_view from,
                                         std::string_view to);

/// The literal of a year-month or day-time interval, from the units it was written with (lower
/// case, `day` or `days`). `written` is for the error: units of both kinds are
/// _LEGACY_ERROR_TEMP_0029. Fails with INTERVAL_ARITHMETIC_OVERFLOW too.
Result<plan::Literal> IntervalLiteral(const CalendarInterval& interval,
                                      const std::vector<std::string>& units,
                                      std::string_view written);

}  // namespace merganser
