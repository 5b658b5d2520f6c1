#pragma once

#include <memory>

#include <duckdb.hpp>

#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// What carries a date or time: DATE, TIMESTAMP or TIMESTAMP_NTZ of Spark.
enum class TimeKind : uint8_t { kDate, kInstant, kWallClock };

/// By the engine's type of argument `i`; anything else is INTERNAL_ERROR.
TimeKind TimeKindOf(ScalarCall& call, size_t i);

/// f(local microseconds) for every row of a date or time column.
template <typename F>
void MapLocalMicros(duckdb::Vector& source, TimeKind kind, const TimeZone& zone,
                    duckdb::idx_t count, duckdb::Vector& result, F f) {
  switch (kind) {
    case TimeKind::kDate:
      MapVector<int32_t>(source, count, result,
                         [&](int32_t days) { return f(days * kMicrosPerDay); });
      return;
    case TimeKind::kInstant:
      if (!zone.is_utc()) {
        MapVector<int64_t>(source, count, result,
                           [&](int64_t micros) { return f(zone.ToLocalMicros(micros)); });
        return;
      }
      [[fallthrough]];
    case TimeKind::kWallClock:
      MapVector<int64_t>(source, count, result, [&](int64_t micros) { return f(micros); });
  }
}

/// The instant of a wall-clock time that is `offset_seconds` east of UTC if the zone allows that
/// then, else as the zone has it (ZonedDateTime.ofLocal with a preferred offset).
int64_t ToUtcPreferring(const TimeZone& zone, int64_t local_micros, int32_t offset_seconds);

/// An instant plus months and then days on the clocks of `zone`, and microseconds on the time line.
/// nullopt beyond 64 bits.
std::optional<int64_t> AddToInstant(const TimeZone& zone, int64_t utc_micros, int64_t months,
                                    int64_t days, int64_t micros);

/// DATETIME_OVERFLOW.
[[noreturn, gnu::cold]] void ThrowDatetimeOverflow(const CallSite& site,
                                                   const std::string& operation);

}  // namespace merganser::engine
