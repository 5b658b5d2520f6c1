// Casts to dates and timestamps, except from text.
#include <cmath>
#include <limits>

#include "merganser/base/java_double.h"
#include "merganser/engine/functions/cast.h"
#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

int64_t Saturate(Int128 value) {
  if (value > std::numeric_limits<int64_t>::max()) return std::numeric_limits<int64_t>::max();
  if (value < std::numeric_limits<int64_t>::min()) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

template <typename S>
CastKernel SecondsToTimestamp() {
  return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<S>(source, count, result,
                 [](S seconds) { return Saturate(Int128{seconds} * kMicrosPerSecond); });
  };
}

template <typename S>
CastKernel FloatingToTimestamp(const DataType& to, const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<S>(source, count, result, [&](S floating) -> std::optional<int64_t> {
      const auto value = static_cast<double>(floating);
      if (!std::isfinite(value)) {
        if (settings->site.ansi())
          settings->InvalidInput(JavaToString(value), DataType::Double(), to);
        return std::nullopt;
      }
      const double micros = value * static_cast<double>(kMicrosPerSecond);
      if (std::floor(micros) <= 9223372036854775808.0 &&
          std::ceil(micros) >= -9223372036854775808.0) {
        return micros >= 9223372036854775808.0 ? std::numeric_limits<int64_t>::max()
                                               : static_cast<int64_t>(micros);
      }
      if (settings->site.ansi())
        settings->Overflow(LiteralText(micros, DataType::Double()), DataType::Double(),
                           DataType::Long());
      if (settings->site.legacy())
        return micros > 0 ? std::numeric_limits<int64_t>::max()
                          : std::numeric_limits<int64_t>::min();
      return std::nullopt;
    });
  };
}

CastKernel ToTimestamp(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  const auto zone = settings->zone;
  switch (from.id()) {
    case TypeId::kBoolean:
      return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<bool>(source, count, result, [](bool value) { return int64_t{value ? 1 : 0}; });
      };
    case TypeId::kByte:
      return SecondsToTimestamp<int8_t>();
    case TypeId::kShort:
      return SecondsToTimestamp<int16_t>();
    case TypeId::kInteger:
      return SecondsToTimestamp<int32_t>();
    case TypeId::kLong:
      return SecondsToTimestamp<int64_t>();
    case TypeId::kFloat:
      return FloatingToTimestamp<float>(to, settings);
    case TypeId::kDouble:
      return FloatingToTimestamp<double>(to, settings);
    case TypeId::kDecimal:
      return [scale = from.scale()](duckdb::Vector& source, duckdb::Vector& result,
                                    duckdb::idx_t count) {
        // Java's longValue: whole microseconds, the low 64 bits of them.
        MapVector<DecimalCell>(source, count, result, [&](DecimalCell cell) {
          return DecimalQuotient(cell.unscaled, scale, 1, 6);
        });
      };
    case TypeId::kDate:
      return [zone](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int32_t>(source, count, result,
                           [&](int32_t days) { return zone->StartOfDayMicros(days); });
      };
    case TypeId::kTimestampNtz:
      return [zone](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result,
                           [&](int64_t micros) { return zone->ToUtcMicros(micros); });
      };
    default:
      return nullptr;
  }
}

}  // namespace

CastKernel MakeTimeCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  const auto zone = settings->zone;
  if (to.is(TypeId::kTimestamp)) return ToTimestamp(from, to, settings);
  if (to.is(TypeId::kTimestampNtz)) {
    if (from.is(TypeId::kDate)) {
      return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int32_t>(source, count, result,
                           [](int32_t days) { return days * kMicrosPerDay; });
      };
    }
    if (from.is(TypeId::kTimestamp)) {
      return [zone](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result,
                           [&](int64_t micros) { return zone->ToLocalMicros(micros); });
      };
    }
  }
  if (to.is(TypeId::kDate)) {
    if (from.is(TypeId::kTimestamp)) {
      return [zone](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result, [&](int64_t micros) {
          return static_cast<int32_t>(zone->ToLocalDays(micros));
        });
      };
    }
    if (from.is(TypeId::kTimestampNtz)) {
      return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result, [](int64_t micros) {
          return static_cast<int32_t>(FloorDivide(micros, kMicrosPerDay));
        });
      };
    }
  }
  return nullptr;
}

}  // namespace merganser::engine
