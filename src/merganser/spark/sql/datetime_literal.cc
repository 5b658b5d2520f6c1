#include "merganser/spark/sql/datetime_literal.h"

#include <limits>

#include "merganser/base/ascii_text.h"
#include "merganser/base/time_units.h"
#include "merganser/base/time_zone_name.h"

namespace merganser {
namespace {

constexpr int64_t kSecondsPerDay = 86'400;

std::string_view TrimControls(std::string_view text) {
  const auto is_blank = [](char c) { return (c >= 0 && c <= ' ') || c == '\x7F'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Read `least` to `most` digits off the front of `text`. More digits than `most` are no number.
std::optional<int64_t> TakeDigits(std::string_view& text, size_t least, size_t most) {
  size_t length = 0;
  int64_t value = 0;
  while (length < text.size() && IsDigit(text[length])) {
    if (++length > most) return std::nullopt;
    value = value * 10 + (text[length - 1] - '0');
  }
  if (length < least) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

bool TakeCharacter(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

int DaysInMonth(int64_t year, int64_t month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[month - 1];
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
std::optional<int64_t> DaysFromCivil(int64_t year, int64_t month, int64_t day) {
  if (month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month)) return std::nullopt;
  // Years begin in March here, so that a leap day is the last day of its year.
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = (y >= 0 ? y : y - 399) / 400;
  const int64_t year_of_era = y - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

/// Take `yyyy[-mm[-dd]]` off the front. `fields` gets how many of the three were written.
std::optional<int64_t> TakeDate(std::string_view& text, size_t most_year_digits, int& fields) {
  int64_t sign = 1;
  if (TakeCharacter(text, '-')) {
    sign = -1;
  } else {
    TakeCharacter(text, '+');
  }
  const auto year = TakeDigits(text, 4, most_year_digits);
  if (!year) return std::nullopt;
  fields = 1;
  std::optional<int64_t> month = 1;
  std::optional<int64_t> day = 1;
  if (TakeCharacter(text, '-')) {
    month = TakeDigits(text, 1, 2);
    fields = 2;
    if (month && TakeCharacter(text, '-')) {
      day = TakeDigits(text, 1, 2);
      fields = 3;
    }
  }
  if (!month || !day) return std::nullopt;
  return DaysFromCivil(sign * *year, *month, *day);
}

/// Take `h[:m[:s[.f]]]` off the front, as microseconds since midnight. `at_second`: it went as far
/// as the seconds, so that a zone may follow.
std::optional<int64_t> TakeTime(std::string_view& text, bool& at_second) {
  int64_t parts[3] = {0, 0, 0};
  int count = 0;
  do {
    const auto part = TakeDigits(text, 1, 2);
    if (!part) return std::nullopt;
    parts[count++] = *part;
  } while (count < 3 && TakeCharacter(text, ':'));
  if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
  at_second = count == 3;
  int64_t micros = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * kMicrosPerSecond;
  if (at_second && TakeCharacter(text, '.')) {
    int64_t unit = kMicrosPerSecond / 10;
    for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1)) {
      micros += (text.front() - '0') * unit;
      unit /= 10;
    }
  }
  return micros;
}

}  // namespace

std::optional<int64_t> ReadDate(std::string_view text) {
  text = TrimControls(text);
  int fields = 0;
  const auto days = TakeDate(text, 7, fields);
  if (!days) return std::nullopt;
  const bool ends = text.empty() || (fields == 3 && (text.front() == ' ' || text.front() == 'T'));
  return ends ? days : std::nullopt;
}

std::optional<TimestampLiteral> ReadTimestamp(std::string_view text) {
  text = TrimControls(text);
  if (text.empty()) return std::nullopt;
  TimestampLiteral out;
  int64_t days = 0;
  bool has_time = true;
  if (TakeCharacter(text, 'T') || text.substr(0, 3).find(':') != text.npos) {
    out.time_only = true;
  } else {
    int fields = 0;
    const auto date = TakeDate(text, 6, fields);
    if (!date) return std::nullopt;
    days = *date;
    has_time = fields == 3 && (TakeCharacter(text, ' ') || TakeCharacter(text, 'T'));
  }
  int64_t micros = 0;
  bool at_second = false;
  if (has_time) {
    const auto time = TakeTime(text, at_second);
    if (!time) return std::nullopt;
    micros = *time;
  }
  if (!text.empty()) {
    out.zone = CanonicalTimeZone(TrimControls(text));
    if (!at_second || !out.zone) return std::nullopt;
  }
  const __int128 total = static_cast<__int128>(days) * kSecondsPerDay * kMicrosPerSecond + micros;
  if (total > std::numeric_limits<int64_t>::max() || total < std::numeric_limits<int64_t>::min())
    return std::nullopt;
  out.local_micros = static_cast<int64_t>(total);
  return out;
}

std::optional<int32_t> FixedZoneOffset(std::string_view zone) {
  if (zone == "UTC") return 0;
  int32_t sign = 1;
  if (TakeCharacter(zone, '-')) {
    sign = -1;
  } else if (!TakeCharacter(zone, '+')) {
    return std::nullopt;
  }
  int32_t seconds = 0;
  for (const int32_t unit : {3600, 60, 1}) {
    const auto part = TakeDigits(zone, 2, 2);
    if (!part) break;
    seconds += static_cast<int32_t>(*part) * unit;
    TakeCharacter(zone, ':');
  }
  return sign * seconds;
}

}  // namespace merganser
