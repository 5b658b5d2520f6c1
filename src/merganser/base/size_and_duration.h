#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace merganser {

/// Bytes in "1024", "64k", "128MB" or "1g": units in powers of 1024, in any case, with or without
/// a "b". A bare number counts bytes. Nothing for other text or overflow.
std::optional<int64_t> ParseByteSize(std::string_view text);

/// Milliseconds in "100ms", "5s", "10min", "1h", "2d" or "100us"; a bare number counts
/// milliseconds. Nothing for other text or overflow.
std::optional<int64_t> ParseDurationMillis(std::string_view text);

}  // namespace merganser
