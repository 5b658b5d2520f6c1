// Intervals made from parts, and calendar intervals times or divided by a number.
#include <cmath>
#include <limits>
#include <optional>

#include "merganser/base/time_units.h"
#include "merganser/engine/functions/arithmetic_errors.h"
#include "merganser/engine/functions/datetime_names.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

template <typename T>
std::optional<T> FitOrFail(const CallSite& site, Int128 value, bool calendar = false) {
  if (value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max())
    return static_cast<T>(value);
  if (site.ansi() && calendar) ThrowArithmeticOverflow(site, "overflow", "");
  if (site.ansi()) ThrowIntervalOverflow(site, "");
  return std::nullopt;
}

void AddIntervalMakers(FunctionRegistry& registry) {
  registry.Add("mg_make_ym_interval", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Context(2);
    for (size_t i = 0; i < 2; ++i) call.Expect(i, LogicalType::INTEGER);
    call.Returns(LogicalType::INTEGER);
    call.KeepArguments(2);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, int32_t>(arguments, result, [&](int32_t years, int32_t months) {
        return FitOrFail<int32_t>(site, Int128{years} * 12 + months);
      });
    };
  });
  registry.Add("mg_make_dt_interval", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Context(4);
    for (size_t i = 0; i < 3; ++i) call.Expect(i, LogicalType::INTEGER);
    call.Expect(3, LogicalType::DECIMAL(18, 6));
    call.Returns(LogicalType::BIGINT);
    call.KeepArguments(4);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, int32_t, int32_t, DecimalCell>(
          arguments, result,
          [&](int32_t days, int32_t hours, int32_t minutes, DecimalCell seconds) {
            return FitOrFail<int64_t>(
                site, Int128{days} * kMicrosPerDay + Int128{hours} * kMicrosPerHour +
                          Int128{minutes} * kMicrosPerMinute + seconds.unscaled);
          });
    };
  });
  registry.Add("mg_make_interval", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Site(7);
    for (size_t i = 0; i < 6; ++i) call.Expect(i, LogicalType::INTEGER);
    call.Expect(6, LogicalType::DECIMAL(18, 6));
    call.Returns(LogicalType::INTERVAL);
    call.KeepArguments(7);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, DecimalCell>(
          arguments, result,
          [&](int32_t years, int32_t months, int32_t weeks, int32_t days, int32_t hours,
              int32_t minutes, DecimalCell seconds) -> std::optional<duckdb::interval_t> {
            const auto m = FitOrFail<int32_t>(site, Int128{years} * 12 + months, true);
            const auto d = FitOrFail<int32_t>(site, Int128{weeks} * 7 + days, true);
            const auto u =
                FitOrFail<int64_t>(site,
                                   Int128{hours} * kMicrosPerHour +
                                       Int128{minutes} * kMicrosPerMinute + seconds.unscaled,
                                   true);
            if (!m || !d || !u) return std::nullopt;
            return duckdb::interval_t{*m, *d, *u};
          });
    };
  });
}

/// Java's conversion of doubles: NaN is 0, and what is too large the nearest long.
int64_t JavaLong(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (value <= -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

/// mg_calendar_interval_multiply and _divide(interval, double, mode [, context]). What is left of a
/// day goes into the microseconds; what is left of a month is lost.
template <bool kDivide>
ScalarKernel BindCalendarInterval(ScalarCall& call) {
  const CallSite site = call.Site(2);
  call.Expect(0, LogicalType::INTERVAL);
  call.Expect(1, LogicalType::DOUBLE);
  call.Returns(LogicalType::INTERVAL);
  call.KeepArguments(2);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<duckdb::interval_t, double>(
        arguments, result,
        [&](const duckdb::interval_t& interval,
            double number) -> std::optional<duckdb::interval_t> {
          if (kDivide && number == 0) {
            if (!site.ansi()) return std::nullopt;
            site.Throw(Error(ErrorClass::INTERVAL_DIVIDED_BY_ZERO));
          }
          const auto scaled = [number](double part) {
            return kDivide ? part / number : part * number;
          };
          const double day_part = scaled(interval.days);
          const auto months = FitOrFail<int32_t>(site, JavaLong(scaled(interval.months)), true);
          const auto days = FitOrFail<int32_t>(site, JavaLong(day_part), true);
          if (!months || !days) return std::nullopt;
          const double micros = scaled(static_cast<double>(interval.micros)) +
                                static_cast<double>(kMicrosPerDay) * (day_part - *days);
          return duckdb::interval_t{*months, *days, JavaLong(std::floor(micros + 0.5))};
        });
  };
}

}  // namespace

void RegisterIntervalFunctions(FunctionRegistry& registry) {
  AddIntervalMakers(registry);
  registry.Add("mg_calendar_interval_multiply", BindCalendarInterval<false>);
  registry.Add("mg_calendar_interval_divide", BindCalendarInterval<true>);
}

}  // namespace merganser::engine
