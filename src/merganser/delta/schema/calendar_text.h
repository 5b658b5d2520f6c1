#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// A wall-clock time and, if the text had one, its distance from UTC.
struct TimestampText {
  int64_t local_micros = 0;  ///< Microseconds since 1970-01-01 00:00:00 of that wall clock.
  std::optional<int32_t> offset_seconds;  ///< East of UTC is positive.

  /// The instant, if the text says which it is.
  std::optional<int64_t> instant() const {
    if (!offset_seconds) return std::nullopt;
    return local_micros - int64_t{*offset_seconds} * 1'000'000;
  }
};

/// Digits after the seconds.
enum class FractionDigits : uint8_t {
  kMillis,    ///< Three, rounded down.
  kMicros,    ///< Six.
  kShortest,  ///< As many as the value has, none for whole seconds.
};

/// "2024-01-31". Days since the epoch in the proleptic Gregorian calendar.
std::string FormatDate(int64_t days);
/// "2024-01-31<separator>10:20:30.123456", without a zone.
std::string FormatTimestamp(int64_t local_micros, char separator, FractionDigits digits);

/// "2024-01-31", also with one-digit months and days, longer years and a sign.
std::optional<int32_t> ParseDate(std::string_view text);
/// A date, then optionally ' ' or 'T', hours, minutes, seconds, fraction, and "Z", "UTC" or
/// "+hh:mm". Digits below microseconds are cut.
std::optional<TimestampText> ParseTimestamp(std::string_view text);

}  // namespace merganser
