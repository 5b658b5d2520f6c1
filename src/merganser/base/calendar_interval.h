#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// A span of calendar time: months, days and microseconds, each with its own sign, since a month
/// has no fixed number of days nor a day of seconds.
struct CalendarInterval {
  int32_t months = 0;
  int32_t days = 0;
  int64_t micros = 0;

  friend bool operator==(const CalendarInterval&, const CalendarInterval&) = default;

  /// Months apart, the length with days of 24 hours; nothing on overflow.
  std::optional<int64_t> MicrosWithoutMonths() const;
};

/// Read "interval 1 week", "2 days -3.5 seconds" and the like, as Spark's
/// IntervalUtils.stringToInterval does: the word INTERVAL may be left out; units from microseconds
/// to years, singular or plural; a fraction only with seconds. Nothing for other text or overflow.
std::optional<CalendarInterval> ParseCalendarInterval(std::string_view text);

}  // namespace merganser
