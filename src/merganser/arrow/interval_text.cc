#include "merganser/arrow/interval_text.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "merganser/base/time_units.h"

namespace merganser {
namespace {

constexpr std::array<std::string_view, 4> kDayTimeFields = {"DAY", "HOUR", "MINUTE", "SECOND"};
constexpr int kDay = 0;
constexpr int kHour = 1;
constexpr int kMinute = 2;
constexpr int kSecond = 3;

// Six digits without trailing zeros, with the point; nothing for 0.
void AppendFraction(uint64_t micros, std::string* out) {
  if (micros == 0) return;
  std::string digits = fmt::format(".{:06}", micros);
  digits.erase(digits.find_last_not_of('0') + 1);
  out->append(digits);
}

}  // namespace

void AppendCalendarIntervalText(const CalendarInterval& interval, std::string* out) {
  const size_t start = out->size();
  const auto append = [&](int64_t value, std::string_view unit) {
    if (value == 0) return;
    fmt::format_to(std::back_inserter(*out), "{}{} {}", out->size() == start ? "" : " ", value,
                   unit);
  };
  append(interval.months / 12, "years");
  append(interval.months % 12, "months");
  append(interval.days, "days");
  append(interval.micros / kMicrosPerHour, "hours");
  append(interval.micros % kMicrosPerHour / kMicrosPerMinute, "minutes");
  const int64_t seconds = interval.micros % kMicrosPerMinute;
  if (seconds != 0) {
    const auto size = static_cast<uint64_t>(seconds < 0 ? -seconds : seconds);
    fmt::format_to(std::back_inserter(*out), "{}{}{}", out->size() == start ? "" : " ",
                   seconds < 0 ? "-" : "", size / kMicrosPerSecond);
    AppendFraction(size % kMicrosPerSecond, out);
    out->append(" seconds");
  }
  if (out->size() == start) out->append("0 seconds");
}

void AppendYearMonthIntervalText(int64_t months, int start_field, int end_field, std::string* out) {
  const std::string_view sign = months < 0 ? "-" : "";
  const uint64_t size =
      months < 0 ? 0 - static_cast<uint64_t>(months) : static_cast<uint64_t>(months);
  const auto append = std::back_inserter(*out);
  if (start_field == 1) {
    fmt::format_to(append, "INTERVAL '{}{}' MONTH", sign, size);
  } else if (end_field == 0) {
    fmt::format_to(append, "INTERVAL '{}{}' YEAR", sign, size / 12);
  } else {
    fmt::format_to(append, "INTERVAL '{}{}-{}' YEAR TO MONTH", sign, size / 12, size % 12);
  }
}

void AppendDayTimeIntervalText(int64_t micros, int start_field, int end_field, std::string* out) {
  uint64_t rest = micros < 0 ? 0 - static_cast<uint64_t>(micros) : static_cast<uint64_t>(micros);
  const auto append = std::back_inserter(*out);
  out->append(micros < 0 ? "INTERVAL '-" : "INTERVAL '");
  for (int field = start_field; field <= end_field; ++field) {
    if (field != start_field) out->append(field == kHour ? " " : ":");
    switch (field) {
      case kDay:
        fmt::format_to(append, "{}", rest / kMicrosPerDay);
        rest %= kMicrosPerDay;
        break;
      case kHour:
        fmt::format_to(append, "{:02}", rest / kMicrosPerHour);
        rest %= kMicrosPerHour;
        break;
      case kMinute:
        fmt::format_to(append, "{:02}", rest / kMicrosPerMinute);
        rest %= kMicrosPerMinute;
        break;
      case kSecond:
        fmt::format_to(append, "{:02}", rest / kMicrosPerSecond);
        AppendFraction(rest % kMicrosPerSecond, out);
        break;
      default:
        break;
    }
  }
  fmt::format_to(append, "' {}", kDayTimeFields[static_cast<size_t>(start_field)]);
  if (end_field != start_field)
    fmt::format_to(append, " TO {}", kDayTimeFields[static_cast<size_t>(end_field)]);
}

}  // namespace merganser
