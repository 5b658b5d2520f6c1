#pragma once

#include <cstdint>

namespace merganser {

/// Of a day without a change of offset; microseconds are the unit of Delta's and Spark's
/// timestamps.
inline constexpr int64_t kMicrosPerSecond = 1'000'000;
inline constexpr int64_t kMicrosPerMinute = 60 * kMicrosPerSecond;
inline constexpr int64_t kMicrosPerHour = 60 * kMicrosPerMinute;
inline constexpr int64_t kMicrosPerDay = 24 * kMicrosPerHour;

}  // namespace merganser
