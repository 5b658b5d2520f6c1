// Casts to and among numbers, booleans and decimals.
#include <cmath>
#include <limits>

#include "merganser/base/java_double.h"
#include "merganser/engine/functions/cast.h"
#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

/// A source value as an error shows it.
template <typename S>
std::string ShowValue(S value, const DataType& from) {
  if constexpr (std::is_floating_point_v<S>) {
    return LiteralText(static_cast<double>(value), from);
  } else if constexpr (std::is_same_v<S, Int128>) {
    return LiteralText(value, from);
  } else {
    return LiteralText(static_cast<int64_t>(value), from);
  }
}

/// Java's conversion of a double to a long: saturating, NaN to zero.
template <typename T>
T SaturatingCast(double value) {
  if (std::isnan(value)) return 0;
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  return static_cast<T>(value);
}

template <typename T>
bool WholePartFits(double value) {
  if constexpr (sizeof(T) == 8) {
    // The largest long rounds to 2^63, which Java lets pass and saturates.
    return std::floor(value) <= 9223372036854775808.0 && std::ceil(value) >= -9223372036854775808.0;
  } else {
    const double whole = std::trunc(value);
    return whole <= static_cast<double>(std::numeric_limits<T>::max()) &&
           whole >= static_cast<double>(std::numeric_limits<T>::min());
  }
}

/// Number to whole number.
template <typename S, typename T>
std::optional<T> ToWhole(S value, const CastSettings& settings, const DataType& from,
                         const DataType& to) {
  if constexpr (std::is_same_v<S, bool>) {
    return static_cast<T>(value ? 1 : 0);
  } else if constexpr (std::is_floating_point_v<S>) {
    if (settings.site.legacy()) {
      if constexpr (sizeof(T) >= 4) {
        return SaturatingCast<T>(value);
      } else {
        return static_cast<T>(SaturatingCast<int32_t>(value));
      }
    }
    if (!std::isnan(value) && WholePartFits<T>(value)) return SaturatingCast<T>(std::trunc(value));
  } else {
    if (value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())
      return static_cast<T>(value);
    if (settings.site.legacy()) return static_cast<T>(value);
  }
  if (settings.site.ansi()) settings.Overflow(ShowValue(value, from), from, to);
  return std::nullopt;
}

template <typename S, typename T>
CastKernel WholeCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<S>(source, count, result,
                 [&](S value) { return ToWhole<S, T>(value, *settings, from, to); });
  };
}

template <typename S, typename T>
CastKernel PlainCast() {
  return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<S>(source, count, result, [](S value) { return static_cast<T>(value); });
  };
}

template <typename S>
CastKernel FromNumber(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  switch (to.id()) {
    case TypeId::kBoolean:
      return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<S>(source, count, result, [](S value) { return value != S{0}; });
      };
    case TypeId::kByte:
      return WholeCast<S, int8_t>(from, to, settings);
    case TypeId::kShort:
      return WholeCast<S, int16_t>(from, to, settings);
    case TypeId::kInteger:
      return WholeCast<S, int32_t>(from, to, settings);
    case TypeId::kLong:
      return WholeCast<S, int64_t>(from, to, settings);
    case TypeId::kFloat:
      return PlainCast<S, float>();
    case TypeId::kDouble:
      return PlainCast<S, double>();
    default:
      return nullptr;
  }
}

template <typename Show>
std::optional<DecimalCell> OrOutOfPrecision(std::optional<Int128> value,
                                            const CastSettings& settings, const DataType& to,
                                            Show show) {
  if (value) return DecimalCell{*value};
  if (settings.site.ansi()) settings.OutOfPrecision(show(), to);
  return std::nullopt;
}

std::optional<DecimalCell> FloatingToDecimal(double value, const CastSettings& settings,
                                             const DataType& to) {
  if (!std::isfinite(value)) return std::nullopt;
  if (std::trunc(value) == value && std::abs(value) < 1e7) {
    // The text has no fraction to round.
    const auto whole = Rescale(static_cast<Int128>(value), 0, to.scale(), to.precision());
    if (whole) return DecimalCell{*whole};
  }
  const auto text = ParseBigDecimal(JavaToString(value));
  return OrOutOfPrecision(ToDecimal(*text, to.precision(), to.scale()), settings, to, [&] {
    // BigDecimal keeps no trailing zero of "1.0E10".
    DecimalText shown = *text;
    while (shown.scale > 0 && shown.digits.size() > 1 && shown.digits.back() == '0') {
      shown.digits.pop_back();
      --shown.scale;
    }
    return ToPlainString(shown);
  });
}

template <typename S>
CastKernel NumberToDecimal(const DataType& to, const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<S>(source, count, result, [&](S value) -> std::optional<DecimalCell> {
      if constexpr (std::is_floating_point_v<S>) {
        return FloatingToDecimal(static_cast<double>(value), *settings, to);
      } else {
        // NOLINTNEXTLINE(bugprone-signed-char-misuse): a TINYINT is no character.
        const Int128 whole = static_cast<Int128>(value);
        return OrOutOfPrecision(Rescale(whole, 0, to.scale(), to.precision()), *settings, to,
                                [&] { return DecimalToPlainString(whole, 0); });
      }
    });
  };
}

Int128 WholePart(Int128 unscaled, int scale) { return unscaled / PowerOfTen(scale); }

template <typename T>
CastKernel DecimalToWhole(const DataType& from, const DataType& to,
                          const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<DecimalCell>(source, count, result, [&](DecimalCell cell) -> std::optional<T> {
      const Int128 whole = WholePart(cell.unscaled, from.scale());
      if (whole >= std::numeric_limits<T>::min() && whole <= std::numeric_limits<T>::max())
        return static_cast<T>(whole);
      if (settings->site.legacy()) return static_cast<T>(whole);
      if (settings->site.ansi()) settings->Overflow(LiteralText(cell.unscaled, from), from, to);
      return std::nullopt;
    });
  };
}

CastKernel FromDecimal(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  switch (to.id()) {
    case TypeId::kBoolean:
      return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<DecimalCell>(source, count, result,
                               [](DecimalCell cell) { return cell.unscaled != 0; });
      };
    case TypeId::kByte:
      return DecimalToWhole<int8_t>(from, to, settings);
    case TypeId::kShort:
      return DecimalToWhole<int16_t>(from, to, settings);
    case TypeId::kInteger:
      return DecimalToWhole<int32_t>(from, to, settings);
    case TypeId::kLong:
      return DecimalToWhole<int64_t>(from, to, settings);
    case TypeId::kFloat:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<DecimalCell>(source, count, result, [&](DecimalCell cell) {
          return DecimalToFloat(cell.unscaled, from.scale());
        });
      };
    case TypeId::kDouble:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<DecimalCell>(source, count, result, [&](DecimalCell cell) {
          return DecimalToDouble(cell.unscaled, from.scale());
        });
      };
    case TypeId::kDecimal:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<DecimalCell>(source, count, result, [&](DecimalCell cell) {
          return OrOutOfPrecision(
              Rescale(cell.unscaled, from.scale(), to.scale(), to.precision()), *settings, to,
              [&] { return DecimalToPlainString(cell.unscaled, from.scale()); });
        });
      };
    default:
      return nullptr;
  }
}

std::string TimestampLiteral(int64_t micros, const CastSettings& settings) {
  std::string out = "TIMESTAMP '";
  AppendTimestamp(settings.zone->ToLocalMicros(micros), &out);
  return out + "'";
}

template <typename T>
CastKernel TimestampToWhole(const DataType& from, const DataType& to,
                            const CastSettingsPtr& settings) {
  return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<int64_t>(source, count, result, [&](int64_t micros) -> std::optional<T> {
      const int64_t seconds = FloorDivide(micros, kMicrosPerSecond);
      if (seconds >= std::numeric_limits<T>::min() && seconds <= std::numeric_limits<T>::max())
        return static_cast<T>(seconds);
      if (settings->site.ansi()) settings->Overflow(TimestampLiteral(micros, *settings), from, to);
      return std::nullopt;
    });
  };
}

CastKernel FromTimestamp(const DataType& from, const DataType& to,
                         const CastSettingsPtr& settings) {
  const auto seconds = [](int64_t micros) {
    return static_cast<double>(micros) / static_cast<double>(kMicrosPerSecond);
  };
  switch (to.id()) {
    case TypeId::kBoolean:
      return FromNumber<int64_t>(from, to, settings);
    case TypeId::kByte:
      return TimestampToWhole<int8_t>(from, to, settings);
    case TypeId::kShort:
      return TimestampToWhole<int16_t>(from, to, settings);
    case TypeId::kInteger:
      return TimestampToWhole<int32_t>(from, to, settings);
    case TypeId::kLong:
      return TimestampToWhole<int64_t>(from, to, settings);
    case TypeId::kFloat:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result,
                           [&](int64_t micros) { return static_cast<float>(seconds(micros)); });
      };
    case TypeId::kDouble:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result, seconds);
      };
    case TypeId::kDecimal:
      return [=](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<int64_t>(source, count, result, [&](int64_t micros) {
          return FloatingToDecimal(seconds(micros), *settings, to);
        });
      };
    default:
      return nullptr;
  }
}

/// Unit of an interval's last field in what carries it: months or microseconds.
int64_t EndUnit(const DataType& interval) {
  if (interval.is(TypeId::kYearMonthInterval)) return interval.end_field() == 0 ? 12 : 1;
  return DayTimeFieldMicros(interval.end_field());
}

std::string IntervalLiteral(int64_t value, const DataType& interval) {
  return interval.is(TypeId::kYearMonthInterval)
             ? YearMonthIntervalText(static_cast<int32_t>(value), interval)
             : DayTimeIntervalText(value, interval);
}

template <typename Carrier, typename T>
CastKernel IntervalToWhole(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings) {
  return [=, unit = EndUnit(from)](duckdb::Vector& source, duckdb::Vector& result,
                                   duckdb::idx_t count) {
    MapVector<Carrier>(source, count, result, [&](Carrier value) -> std::optional<T> {
      const int64_t whole = value / unit;
      if (whole >= std::numeric_limits<T>::min() && whole <= std::numeric_limits<T>::max())
        return static_cast<T>(whole);
      if (settings->site.legacy()) return static_cast<T>(whole);
      if (settings->site.ansi()) settings->Overflow(IntervalLiteral(value, from), from, to);
      return std::nullopt;
    });
  };
}

template <typename Carrier>
CastKernel FromInterval(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  switch (to.id()) {
    case TypeId::kByte:
      return IntervalToWhole<Carrier, int8_t>(from, to, settings);
    case TypeId::kShort:
      return IntervalToWhole<Carrier, int16_t>(from, to, settings);
    case TypeId::kInteger:
      return IntervalToWhole<Carrier, int32_t>(from, to, settings);
    case TypeId::kLong:
      return IntervalToWhole<Carrier, int64_t>(from, to, settings);
    case TypeId::kDecimal:
      return [=, unit = EndUnit(from)](duckdb::Vector& source, duckdb::Vector& result,
                                       duckdb::idx_t count) {
        MapVector<Carrier>(source, count, result, [&](Carrier value) {
          // Exact at 18 digits: units are multiples of a microsecond, of which a day has under
          // 10^11.
          const auto quotient = DecimalDivide(value, 0, unit, 0, kMaxDecimalPrecision, 18);
          return OrOutOfPrecision(Rescale(*quotient, 18, to.scale(), to.precision()), *settings, to,
                                  [&] { return DecimalToPlainString(*quotient, 18); });
        });
      };
    default:
      return nullptr;
  }
}

template <typename Carrier, typename S>
CastKernel WholeToInterval(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings) {
  return
      [=, unit = EndUnit(to)](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
        MapVector<S>(source, count, result, [&](S value) -> std::optional<Carrier> {
          Carrier out = 0;
          if (!__builtin_mul_overflow(value, unit, &out)) return out;
          if (settings->site.ansi())
            settings->Overflow(LiteralText(static_cast<int64_t>(value), from), from, to);
          return std::nullopt;
        });
      };
}

template <typename Carrier>
CastKernel ToInterval(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  switch (from.id()) {
    case TypeId::kByte:
      return WholeToInterval<Carrier, int8_t>(from, to, settings);
    case TypeId::kShort:
      return WholeToInterval<Carrier, int16_t>(from, to, settings);
    case TypeId::kInteger:
      return WholeToInterval<Carrier, int32_t>(from, to, settings);
    case TypeId::kLong:
      return WholeToInterval<Carrier, int64_t>(from, to, settings);
    case TypeId::kDecimal:
      return [=, unit = EndUnit(to)](duckdb::Vector& source, duckdb::Vector& result,
                                     duckdb::idx_t count) {
        MapVector<DecimalCell>(
            source, count, result, [&](DecimalCell cell) -> std::optional<Carrier> {
              const auto value =
                  DecimalMultiply(cell.unscaled, from.scale(), unit, 0, kMaxDecimalPrecision, 0);
              if (value && *value >= std::numeric_limits<Carrier>::min() &&
                  *value <= std::numeric_limits<Carrier>::max()) {
                return static_cast<Carrier>(*value);
              }
              if (settings->site.ansi())
                settings->Overflow(LiteralText(cell.unscaled, from), from, to);
              return std::nullopt;
            });
      };
    default:
      break;
  }
  if (from.id() != to.id()) return nullptr;
  // The same kind of interval: units below the last field are cut off.
  return [unit = EndUnit(to)](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    MapVector<Carrier>(source, count, result,
                       [&](Carrier value) { return static_cast<Carrier>(value - value % unit); });
  };
}

}  // namespace

CastKernel MakeNumericCast(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings) {
  if (to.is(TypeId::kYearMonthInterval)) return ToInterval<int32_t>(from, to, settings);
  if (to.is(TypeId::kDayTimeInterval)) return ToInterval<int64_t>(from, to, settings);
  const bool to_decimal = to.is(TypeId::kDecimal);
  switch (from.id()) {
    case TypeId::kBoolean:
      return to_decimal ? NumberToDecimal<bool>(to, settings)
                        : FromNumber<bool>(from, to, settings);
    case TypeId::kByte:
      return to_decimal ? NumberToDecimal<int8_t>(to, settings)
                        : FromNumber<int8_t>(from, to, settings);
    case TypeId::kShort:
      return to_decimal ? NumberToDecimal<int16_t>(to, settings)
                        : FromNumber<int16_t>(from, to, settings);
    case TypeId::kInteger:
      return to_decimal ? NumberToDecimal<int32_t>(to, settings)
                        : FromNumber<int32_t>(from, to, settings);
    case TypeId::kLong:
      return to_decimal ? NumberToDecimal<int64_t>(to, settings)
                        : FromNumber<int64_t>(from, to, settings);
    case TypeId::kFloat:
      return to_decimal ? NumberToDecimal<float>(to, settings)
                        : FromNumber<float>(from, to, settings);
    case TypeId::kDouble:
      return to_decimal ? NumberToDecimal<double>(to, settings)
                        : FromNumber<double>(from, to, settings);
    case TypeId::kDecimal:
      return FromDecimal(from, to, settings);
    case TypeId::kTimestamp:
      return FromTimestamp(from, to, settings);
    case TypeId::kYearMonthInterval:
      return FromInterval<int32_t>(from, to, settings);
    case TypeId::kDayTimeInterval:
      return FromInterval<int64_t>(from, to, settings);
    default:
      return nullptr;
  }
}

}  // namespace merganser::engine
