#include "merganser/engine/functions/time_columns.h"

#include "merganser/engine/duckdb_error.h"

namespace merganser::engine {

TimeKind TimeKindOf(ScalarCall& call, size_t i) {
  switch (call.type(i).id()) {
    case duckdb::LogicalTypeId::DATE:
      return TimeKind::kDate;
    case duckdb::LogicalTypeId::TIMESTAMP_TZ:
      return TimeKind::kInstant;
    case duckdb::LogicalTypeId::TIMESTAMP:
      return TimeKind::kWallClock;
    default:
      ThrowError(Error::Internal(call.name() +
                                 ": neither date nor timestamp: " + call.type(i).ToString()));
  }
}

int64_t ToUtcPreferring(const TimeZone& zone, int64_t local_micros, int32_t offset_seconds) {
  const int64_t utc = local_micros - offset_seconds * kMicrosPerSecond;
  if (zone.OffsetAt(FloorDivide(utc, kMicrosPerSecond)) == offset_seconds) return utc;
  return zone.ToUtcMicros(local_micros);
}

std::optional<int64_t> AddToInstant(const TimeZone& zone, int64_t utc_micros, int64_t months,
                                    int64_t days, int64_t micros) {
  int64_t out = utc_micros;
  if (months != 0 || days != 0) {
    const int32_t offset = zone.OffsetAt(FloorDivide(utc_micros, kMicrosPerSecond));
    const int64_t local = utc_micros + offset * kMicrosPerSecond;
    int64_t local_days = FloorDivide(local, kMicrosPerDay);
    const int64_t time = local - local_days * kMicrosPerDay;
    if (months != 0) local_days = AddMonths(local_days, months);
    int64_t moved = 0;
    if (__builtin_add_overflow(local_days, days, &local_days) ||
        __builtin_mul_overflow(local_days, kMicrosPerDay, &moved) ||
        __builtin_add_overflow(moved, time, &moved)) {
      return std::nullopt;
    }
    out = ToUtcPreferring(zone, moved, offset);
  }
  if (__builtin_add_overflow(out, micros, &out)) return std::nullopt;
  return out;
}

void ThrowDatetimeOverflow(const CallSite& site, const std::string& operation) {
  site.Throw(Error(ErrorClass::DATETIME_OVERFLOW, {{"operation", operation}}));
}

}  // namespace merganser::engine
