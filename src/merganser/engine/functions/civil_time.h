#pragma once

#include <cstdint>

#include "merganser/base/time_units.h"

namespace merganser::engine {

inline constexpr int64_t kSecondsPerDay = 86'400;

constexpr int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && ((a < 0) != (b < 0))) ? quotient - 1 : quotient;
}
constexpr int64_t FloorModulo(int64_t a, int64_t b) { return a - FloorDivide(a, b) * b; }

/// A date of the proleptic Gregorian calendar.
struct CivilDate {
  int64_t year = 1970;
  int month = 1;  ///< 1..12
  int day = 1;    ///< 1..31
};

/// Days since 1970-01-01. Requires a valid month; days outside the month run over.
constexpr int64_t DaysFromCivil(int64_t year, int month, int day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = FloorDivide(year, 400);
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

constexpr CivilDate CivilFromDays(int64_t days) {
  days += 719468;
  const int64_t era = FloorDivide(days, 146097);
  const int64_t day_of_era = days - era * 146097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t mp = (5 * day_of_year + 2) / 153;
  CivilDate date;
  date.day = static_cast<int>(day_of_year - (153 * mp + 2) / 5 + 1);
  date.month = static_cast<int>(mp < 10 ? mp + 3 : mp - 9);
  date.year = year_of_era + era * 400 + (date.month <= 2 ? 1 : 0);
  return date;
}

constexpr bool IsLeapYear(int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int DaysInMonth(int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[month - 1];
}

constexpr bool IsValidDate(int64_t year, int month, int day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= DaysInMonth(year, month);
}

/// 1 = Monday .. 7 = Sunday.
constexpr int IsoDayOfWeek(int64_t days) { return static_cast<int>(FloorModulo(days + 3, 7)) + 1; }

constexpr int DayOfYear(int64_t days) {
  return static_cast<int>(days - DaysFromCivil(CivilFromDays(days).year, 1, 1)) + 1;
}

/// `date` plus months, the day cut to the last of the month.
constexpr int64_t AddMonths(int64_t days, int64_t months) {
  const CivilDate date = CivilFromDays(days);
  const int64_t total = date.year * 12 + date.month - 1 + months;
  const int64_t year = FloorDivide(total, 12);
  const int month = static_cast<int>(FloorModulo(total, 12)) + 1;
  const int last = DaysInMonth(year, month);
  return DaysFromCivil(year, month, date.day < last ? date.day : last);
}

/// ISO week and week-based year of a date.
struct IsoWeek {
  int64_t year;
  int week;  ///< 1..53
};
constexpr IsoWeek IsoWeekOf(int64_t days) {
  // The week belongs to the year of its Thursday.
  const int64_t thursday = days - IsoDayOfWeek(days) + 4;
  return {CivilFromDays(thursday).year, (DayOfYear(thursday) - 1) / 7 + 1};
}

}  // namespace merganser::engine
