#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// Read a date as CAST(... AS DATE) does: yyyy, yyyy-[m]m, yyyy-[m]m-[d]d, then ' ' or 'T' and
/// anything; a sign and up to seven digits of year. Days since 1970-01-01.
std::optional<int32_t> ParseDate(std::string_view text);

/// Read a timestamp as CAST(... AS TIMESTAMP) does: a date, a date with a time and up to six digits
/// of fraction (more are dropped), a time alone (the day of `now_micros` in the zone); a zone at
/// the end replaces `zone`. Microseconds since 1970-01-01 00:00:00 UTC.
std::optional<int64_t> ParseTimestamp(std::string_view text, const TimeZone& zone,
                                      int64_t now_micros);

/// Read a wall-clock timestamp: as ParseTimestamp, a zone at the end is read over, a time alone is
/// refused.
std::optional<int64_t> ParseTimestampNtz(std::string_view text);

/// "2024-02-29"; years beyond 9999 carry a plus.
void AppendDate(int64_t days, std::string* out);

/// "2024-02-29 12:34:56.789" of a wall-clock time; trailing zeros of the fraction are left out.
void AppendTimestamp(int64_t local_micros, std::string* out);

}  // namespace merganser::engine
