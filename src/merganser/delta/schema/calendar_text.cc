#include "merganser/delta/schema/calendar_text.h"

#include <chrono>

#include <fmt/format.h>

#include "merganser/base/time_units.h"

namespace merganser {
namespace {

int64_t FloorDivide(int64_t value, int64_t divisor) {
  const int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

/// Year, month and day of a day number; std::chrono::year cannot hold the years of far timestamps.
struct CivilDate {
  int64_t year;
  int32_t month;
  int32_t day;
};

// The calendar repeats after 400 years of 146,097 days.
constexpr int64_t kDaysPerCycle = 146'097;

CivilDate ToCivil(int64_t days) {
  const int64_t cycle = FloorDivide(days, kDaysPerCycle);
  const std::chrono::year_month_day date(
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days - cycle * kDaysPerCycle))));
  return {int{date.year()} + cycle * 400, static_cast<int32_t>(unsigned{date.month()}),
          static_cast<int32_t>(unsigned{date.day()})};
}

std::optional<int64_t> FromCivil(int64_t year, int64_t month, int64_t day) {
  const int64_t cycle = FloorDivide(year, 400);
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year - cycle * 400)),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() + cycle * kDaysPerCycle;
}

/// Reads text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool done() const { return position_ == text_.size(); }
  bool Skip(char c) {
    if (done() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool SkipWord(std::string_view word) {
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }
  /// A number of `least` to `most` digits.
  std::optional<int64_t> Number(size_t least, size_t most) {
    int64_t value = 0;
    size_t count = 0;
    while (count < most && !done() && text_[position_] >= '0' && text_[position_] <= '9') {
      value = value * 10 + (text_[position_] - '0');
      ++position_;
      ++count;
    }
    if (count < least) return std::nullopt;
    return value;
  }
  /// The digits after a decimal point, as microseconds.
  std::optional<int64_t> Fraction() {
    int64_t micros = 0;
    int64_t unit = kMicrosPerSecond / 10;
    size_t count = 0;
    while (!done() && text_[position_] >= '0' && text_[position_] <= '9') {
      micros += (text_[position_] - '0') * unit;
      unit /= 10;
      ++position_;
      ++count;
    }
    if (count == 0) return std::nullopt;
    return micros;
  }

 private:
  std::string_view text_;
  size_t position_ = 0;
};

std::optional<int64_t> ParseDays(Cursor& cursor) {
  const bool negative = cursor.Skip('-');
  if (!negative) cursor.Skip('+');
  const auto year = cursor.Number(4, 7);
  if (!year || !cursor.Skip('-')) return std::nullopt;
  const auto month = cursor.Number(1, 2);
  if (!month || !cursor.Skip('-')) return std::nullopt;
  const auto day = cursor.Number(1, 2);
  if (!day) return std::nullopt;
  return FromCivil(negative ? -*year : *year, *month, *day);
}

/// Distance from UTC in seconds, after the time of day.
std::optional<int32_t> ParseOffset(Cursor& cursor) {
  if (cursor.SkipWord("Z") || cursor.SkipWord("UTC")) return 0;
  const bool negative = cursor.Skip('-');
  if (!negative && !cursor.Skip('+')) return std::nullopt;
  const auto hours = cursor.Number(1, 2);
  if (!hours || *hours > 18) return std::nullopt;
  cursor.Skip(':');
  const auto minutes = cursor.done() ? std::optional<int64_t>(0) : cursor.Number(2, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  const auto seconds = static_cast<int32_t>(*hours * 3600 + *minutes * 60);
  return negative ? -seconds : seconds;
}

}  // namespace

std::string FormatDate(int64_t days) {
  const CivilDate date = ToCivil(days);
  const char* sign = date.year < 0 ? "-" : date.year > 9999 ? "+" : "";
  return fmt::format("{}{:04}-{:02}-{:02}", sign, date.year < 0 ? -date.year : date.year,
                     date.month, date.day);
}

std::string FormatTimestamp(int64_t local_micros, char separator, FractionDigits digits) {
  const int64_t days = FloorDivide(local_micros, kMicrosPerDay);
  const int64_t micros_of_day = local_micros - days * kMicrosPerDay;
  const int64_t seconds = micros_of_day / kMicrosPerSecond;
  const int64_t micros = micros_of_day % kMicrosPerSecond;
  std::string text = fmt::format("{}{}{:02}:{:02}:{:02}", FormatDate(days), separator,
                                 seconds / 3600, seconds / 60 % 60, seconds % 60);
  switch (digits) {
    case FractionDigits::kMillis:
      text += fmt::format(".{:03}", micros / 1000);
      break;
    case FractionDigits::kMicros:
      text += fmt::format(".{:06}", micros);
      break;
    case FractionDigits::kShortest:
      if (micros != 0) {
        text += fmt::format(".{:06}", micros);
        while (text.back() == '0') text.pop_back();
      }
      break;
  }
  return text;
}

std::optional<int32_t> ParseDate(std::string_view text) {
  Cursor cursor(text);
  const auto days = ParseDays(cursor);
  if (!days || !cursor.done()) return std::nullopt;
  return static_cast<int32_t>(*days);
}

std::optional<TimestampText> ParseTimestamp(std::string_view text) {
  Cursor cursor(text);
  const auto days = ParseDays(cursor);
  if (!days) return std::nullopt;
  int64_t micros = 0;
  std::optional<int32_t> offset;
  if (!cursor.done()) {
    if (!cursor.Skip(' ') && !cursor.Skip('T')) return std::nullopt;
    const auto hours = cursor.Number(1, 2);
    if (!hours || *hours > 23) return std::nullopt;
    micros = *hours * 3600 * kMicrosPerSecond;
    if (cursor.Skip(':')) {
      const auto minutes = cursor.Number(1, 2);
      if (!minutes || *minutes > 59) return std::nullopt;
      micros += *minutes * 60 * kMicrosPerSecond;
      if (cursor.Skip(':')) {
        const auto seconds = cursor.Number(1, 2);
        if (!seconds || *seconds > 59) return std::nullopt;
        micros += *seconds * kMicrosPerSecond;
        if (cursor.Skip('.')) {
          const auto fraction = cursor.Fraction();
          if (!fraction) return std::nullopt;
          micros += *fraction;
        }
      }
    }
    if (!cursor.done()) {
      offset = ParseOffset(cursor);
      if (!offset || !cursor.done()) return std::nullopt;
    }
  }
  int64_t local = 0;
  if (__builtin_mul_overflow(*days, kMicrosPerDay, &local) ||
      __builtin_add_overflow(local, micros, &local)) {
    return std::nullopt;
  }
  return TimestampText{local, offset};
}

}  // namespace merganser
