#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// Days since 1970-01-01 of `[+-]yyyy[-[m]m[-[d]d]]`, surrounded by blanks; a whole date may be
/// followed by a blank or T and anything. nullopt if it is no date.
std::optional<int64_t> ReadDate(std::string_view text);

/// A timestamp as written in a literal.
struct TimestampLiteral {
  int64_t local_micros = 0;  ///< Microseconds since 1970-01-01 00:00:00 of the wall clock.
  /// The zone written behind it, in the form of CanonicalTimeZone.
  std::optional<std::string> zone;
  bool time_only = false;  ///< `12:00`: `local_micros` counts from midnight.
};

/// A date, optionally followed by `[T ][h]h[:[m]m[:[s]s[.ffffff...][zone]]]`; or a time alone.
/// Digits of a fraction beyond the sixth are dropped. nullopt if it is no timestamp.
std::optional<TimestampLiteral> ReadTimestamp(std::string_view text);

/// Seconds east of UTC that `zone`, in the form of CanonicalTimeZone, always has; nullopt for a
/// region.
std::optional<int32_t> FixedZoneOffset(std::string_view zone);

}  // namespace merganser
