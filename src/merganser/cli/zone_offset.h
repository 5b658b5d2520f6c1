#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace merganser {

/// Seconds east of UTC of a time zone at an instant (microseconds since the epoch): a fixed offset
/// such as "+02:00", or a region such as "Europe/Berlin" by the system's zone data. Empty for UTC,
/// and for a zone the system lacks.
std::function<int64_t(int64_t)> ZoneOffset(const std::string& zone);

}  // namespace merganser
