// Exact decimal arithmetic and rounding, and products and quotients of intervals.
#include <cmath>
#include <limits>
#include <string>

#include "merganser/base/java_double.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/arithmetic_errors.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

/// Precision and scale of both sides and of the result.
struct DecimalTypes {
  int left_precision, left_scale;
  int right_precision, right_scale;
  int precision, scale;
};

void RequireDecimal(ScalarCall& call, size_t i) {
  if (call.type(i).id() != LogicalTypeId::DECIMAL) {
    ThrowError(Error::Internal(call.name() + ": no decimal: " + call.type(i).ToString()));
  }
}

DecimalTypes ReadTypes(ScalarCall& call) {
  RequireDecimal(call, 0);
  RequireDecimal(call, 1);
  DecimalTypes types;
  types.left_precision = duckdb::DecimalType::GetWidth(call.type(0));
  types.left_scale = duckdb::DecimalType::GetScale(call.type(0));
  types.right_precision = duckdb::DecimalType::GetWidth(call.type(1));
  types.right_scale = duckdb::DecimalType::GetScale(call.type(1));
  return types;
}

/// Reads f(a, b, precision, scale, mode [, context]).
CallSite BindOperator(ScalarCall& call, DecimalTypes* types) {
  *types = ReadTypes(call);
  types->precision = static_cast<int>(call.Integer(2));
  types->scale = static_cast<int>(call.Integer(3));
  CallSite site = call.Site(4);
  call.Returns(LogicalType::DECIMAL(static_cast<uint8_t>(types->precision),
                                    static_cast<uint8_t>(types->scale)));
  call.KeepArguments(2);
  if (!site.ansi()) call.NeverFails();
  return site;
}

template <typename Compute>
ScalarKernel ExactKernel(Compute compute) {
  return [compute](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell, DecimalCell>(arguments, result, [&](DecimalCell a, DecimalCell b) {
      return DecimalCell{compute(a.unscaled, b.unscaled)};
    });
  };
}

/// A kernel whose result may have too many digits. `show` gives the exact result for the error.
template <typename Compute, typename Show>
ScalarKernel CheckedKernel(const CallSite& site, const DecimalTypes& types, Compute compute,
                           Show show) {
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell, DecimalCell>(
        arguments, result, [&](DecimalCell a, DecimalCell b) -> std::optional<DecimalCell> {
          const std::optional<Int128> value = compute(a.unscaled, b.unscaled);
          if (value) return DecimalCell{*value};
          if (site.ansi())
            ThrowNumericOutOfRange(site, show(a.unscaled, b.unscaled), types.precision,
                                   types.scale);
          return std::nullopt;
        });
  };
}

/// The out-of-range result as an error shows it, as far as 38 digits at scale 0 can.
std::string ShowApproximately(std::optional<Int128> whole) {
  return whole ? DecimalToPlainString(*whole, 0) : "more than 38 digits";
}

template <int kSign>
ScalarKernel BindAdd(ScalarCall& call) {
  DecimalTypes t{};
  const CallSite site = BindOperator(call, &t);
  const int whole = std::max(t.left_precision - t.left_scale, t.right_precision - t.right_scale);
  if (t.scale >= std::max(t.left_scale, t.right_scale) && whole + t.scale + 1 <= t.precision) {
    const Int128 left_unit = PowerOfTen(t.scale - t.left_scale);
    const Int128 right_unit = kSign * PowerOfTen(t.scale - t.right_scale);
    if (t.precision <= 18) {
      return ExactKernel([l = static_cast<int64_t>(left_unit),
                          r = static_cast<int64_t>(right_unit)](Int128 a, Int128 b) {
        return Int128{static_cast<int64_t>(a) * l + static_cast<int64_t>(b) * r};
      });
    }
    return ExactKernel(
        [left_unit, right_unit](Int128 a, Int128 b) { return a * left_unit + b * right_unit; });
  }
  return CheckedKernel(
      site, t,
      [t](Int128 a, Int128 b) {
        return DecimalAdd(a, t.left_scale, kSign * b, t.right_scale, t.precision, t.scale);
      },
      [t](Int128 a, Int128 b) {
        return ShowApproximately(
            DecimalAdd(a, t.left_scale, kSign * b, t.right_scale, kMaxDecimalPrecision, 0));
      });
}

ScalarKernel BindMultiply(ScalarCall& call) {
  DecimalTypes t{};
  const CallSite site = BindOperator(call, &t);
  if (t.scale == t.left_scale + t.right_scale &&
      t.left_precision + t.right_precision <= t.precision) {
    if (t.precision <= 18) {
      return ExactKernel([](Int128 a, Int128 b) {
        const int64_t product = static_cast<int64_t>(a) * static_cast<int64_t>(b);
        return Int128{product};
      });
    }
    return ExactKernel([](Int128 a, Int128 b) { return a * b; });
  }
  return CheckedKernel(
      site, t,
      [t](Int128 a, Int128 b) {
        return DecimalMultiply(a, t.left_scale, b, t.right_scale, t.precision, t.scale);
      },
      [t](Int128 a, Int128 b) {
        return ShowApproximately(
            DecimalMultiply(a, t.left_scale, b, t.right_scale, kMaxDecimalPrecision, 0));
      });
}

/// A kernel whose right side must not be zero.
template <typename Compute, typename Fail>
ScalarKernel DecimalZeroCheckedKernel(const CallSite& site, const DecimalTypes& types,
                                      Compute compute, Fail fail) {
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell, DecimalCell>(
        arguments, result, [&](DecimalCell a, DecimalCell b) -> std::optional<DecimalCell> {
          if (b.unscaled == 0) {
            if (site.ansi()) fail(site);
            return std::nullopt;
          }
          const std::optional<Int128> value = compute(a.unscaled, b.unscaled);
          if (value) return DecimalCell{*value};
          if (site.ansi()) {
            ThrowNumericOutOfRange(
                site,
                ShowApproximately(DecimalDivide(a.unscaled, types.left_scale, b.unscaled,
                                                types.right_scale, kMaxDecimalPrecision, 0)),
                types.precision, types.scale);
          }
          return std::nullopt;
        });
  };
}

ScalarKernel BindDecimalDivide(ScalarCall& call) {
  DecimalTypes t{};
  const CallSite site = BindOperator(call, &t);
  const int shift = t.scale - t.left_scale + t.right_scale;
  if (shift >= 0 && t.left_precision + shift <= kMaxDecimalPrecision &&
      t.right_precision + t.scale <= kMaxDecimalPrecision) {
    // The dividend fits, and the divisor is too small for Spark's first rounding to matter.
    return DecimalZeroCheckedKernel(
        site, t,
        [unit = PowerOfTen(shift), limit = PowerOfTen(t.precision)](
            Int128 a, Int128 b) -> std::optional<Int128> {
          const Int128 dividend = a * unit;
          Int128 quotient = dividend / b;
          const Int128 remainder = dividend - quotient * b;
          const Int128 twice = 2 * (remainder < 0 ? -remainder : remainder);
          if (twice >= (b < 0 ? -b : b)) quotient += (dividend < 0) != (b < 0) ? -1 : 1;
          if (quotient >= limit || quotient <= -limit) return std::nullopt;
          return quotient;
        },
        ThrowDivideByZero);
  }
  return DecimalZeroCheckedKernel(
      site, t,
      [t](Int128 a, Int128 b) {
        return DecimalDivide(a, t.left_scale, b, t.right_scale, t.precision, t.scale);
      },
      ThrowDivideByZero);
}

ScalarKernel BindDecimalRemainder(ScalarCall& call) {
  DecimalTypes t{};
  const CallSite site = BindOperator(call, &t);
  return DecimalZeroCheckedKernel(
      site, t,
      [t](Int128 a, Int128 b) {
        return DecimalRemainder(a, t.left_scale, b, t.right_scale, t.precision, t.scale);
      },
      ThrowRemainderByZero);
}

ScalarKernel BindDecimalPmod(ScalarCall& call) {
  DecimalTypes t{};
  const CallSite site = BindOperator(call, &t);
  return DecimalZeroCheckedKernel(
      site, t,
      [t](Int128 a, Int128 b) -> std::optional<Int128> {
        const int common = std::max(t.left_scale, t.right_scale);
        const auto remainder =
            DecimalRemainder(a, t.left_scale, b, t.right_scale, kMaxDecimalPrecision, common);
        if (!remainder || *remainder >= 0) return Rescale(*remainder, common, t.scale, t.precision);
        const auto sum =
            DecimalAdd(*remainder, common, b, t.right_scale, kMaxDecimalPrecision, common);
        if (!sum) return std::nullopt;
        return DecimalRemainder(*sum, common, b, t.right_scale, t.precision, t.scale);
      },
      ThrowRemainderByZero);
}

ScalarKernel BindDecimalIntegralDivide(ScalarCall& call) {
  const DecimalTypes t = ReadTypes(call);
  const CallSite site = call.Site(2);
  call.Returns(LogicalType::BIGINT);
  call.KeepArguments(2);
  if (!site.ansi()) call.NeverFails();
  return [t, site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell, DecimalCell>(
        arguments, result, [&](DecimalCell a, DecimalCell b) -> std::optional<int64_t> {
          if (b.unscaled != 0)
            return DecimalQuotient(a.unscaled, t.left_scale, b.unscaled, t.right_scale);
          if (site.ansi()) ThrowDivideByZero(site);
          return std::nullopt;
        });
  };
}

/// f(x, digits, precision, scale, mode [, context]): x rounded at `digits` after the point (before
/// it if negative).
ScalarKernel BindRound(ScalarCall& call, RoundingMode rounding) {
  RequireDecimal(call, 0);
  const int from_scale = duckdb::DecimalType::GetScale(call.type(0));
  const auto digits = static_cast<int>(std::clamp<int64_t>(call.Integer(1), -100, 100));
  const auto precision = static_cast<int>(call.Integer(2));
  const auto scale = static_cast<int>(call.Integer(3));
  const CallSite site = call.Site(4);
  call.Returns(LogicalType::DECIMAL(static_cast<uint8_t>(precision), static_cast<uint8_t>(scale)));
  call.KeepArguments(1);
  if (!site.ansi()) call.NeverFails();
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell>(arguments, result, [&](DecimalCell cell) -> std::optional<DecimalCell> {
      std::optional<Int128> value;
      if (digits >= from_scale) {
        value = Rescale(cell.unscaled, from_scale, scale, precision);
      } else {
        const Int128 rounded = DropDigits(cell.unscaled, from_scale - digits, rounding);
        if (digits >= 0) {
          value = Rescale(rounded, digits, scale, precision);
        } else if (rounded == 0) {
          value = 0;
        } else if (-digits <= kMaxDecimalPrecision) {
          value = DecimalMultiply(rounded, 0, PowerOfTen(-digits), 0, precision, scale);
        }
      }
      if (value) return DecimalCell{*value};
      if (site.ansi())
        ThrowNumericOutOfRange(site, DecimalToPlainString(cell.unscaled, from_scale), precision,
                               scale);
      return std::nullopt;
    });
  };
}

double RoundDouble(double value, int digits, RoundingMode mode) {
  if (!std::isfinite(value)) return value;
  if (value == 0) return 0;  // Java's decimals have no negative zero.
  if (digits == 0 && std::abs(value) < 9007199254740992.0) {
    switch (mode) {
      case RoundingMode::kHalfUp:
        return std::round(value) + 0.0;  // Nor has what is rounded to zero.
      case RoundingMode::kHalfEven:
        return std::nearbyint(value) + 0.0;
      case RoundingMode::kCeiling:
        return std::ceil(value) + 0.0;
      case RoundingMode::kFloor:
        return std::floor(value);
      case RoundingMode::kDown:
        return std::trunc(value) + 0.0;
    }
  }
  // Java rounds the decimal text of the number.
  const auto text = ParseBigDecimal(JavaToString(value));
  if (text->scale <= digits) return value;
  const int64_t drop = text->scale - digits;
  Int128 unscaled = 0;
  for (const char c : text->digits)
    unscaled = unscaled * 10 + (c - '0');  // At most 17 digits and an exponent's zeros.
  if (text->digits.size() > 38) return value;
  const Int128 rounded = DropDigits(text->negative ? -unscaled : unscaled,
                                    static_cast<int>(std::min<int64_t>(drop, 100)), mode);
  DecimalText out;
  out.negative = rounded < 0;
  out.digits = DecimalToPlainString(rounded < 0 ? -rounded : rounded, 0);
  out.scale = digits;
  return std::strtod(ToPlainString(out).c_str(), nullptr);
}

ScalarKernel BindRoundNumber(ScalarCall& call, RoundingMode rounding) {
  const auto digits = static_cast<int>(std::clamp<int64_t>(call.Integer(1), -400, 400));
  const CallSite site = call.Site(2);
  call.Returns(call.type(0));
  call.KeepArguments(1);
  if (!site.ansi()) call.NeverFails();
  const auto floating = [&]<typename T>() -> ScalarKernel {
    return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<T>(arguments, result, [&](T value) {
        return static_cast<T>(RoundDouble(static_cast<double>(value), digits, rounding));
      });
    };
  };
  const auto whole = [&]<typename T>() -> ScalarKernel {
    return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<T>(arguments, result, [&](T value) -> std::optional<T> {
        if (digits >= 0) return value;
        const Int128 rounded = DropDigits(value, -digits, rounding);
        if (rounded == 0) return T{0};
        const Int128 raised = rounded * PowerOfTen(std::min(-digits, 38));
        if (raised >= std::numeric_limits<T>::min() && raised <= std::numeric_limits<T>::max())
          return static_cast<T>(raised);
        if (site.ansi()) ThrowArithmeticOverflow(site, "Overflow", "");
        return site.legacy() ? std::optional<T>(static_cast<T>(raised)) : std::nullopt;
      });
    };
  };
  switch (call.type(0).id()) {
    case LogicalTypeId::TINYINT:
      return whole.template operator()<int8_t>();
    case LogicalTypeId::SMALLINT:
      return whole.template operator()<int16_t>();
    case LogicalTypeId::INTEGER:
      return whole.template operator()<int32_t>();
    case LogicalTypeId::BIGINT:
      return whole.template operator()<int64_t>();
    case LogicalTypeId::FLOAT:
      return floating.template operator()<float>();
    case LogicalTypeId::DOUBLE:
      return floating.template operator()<double>();
    default:
      ThrowError(Error::Internal(call.name() + ": no number"));
  }
}

/// sum(DECIMAL) that may have more digits than its Spark type.
ScalarKernel BindDecimalCheck(ScalarCall& call) {
  RequireDecimal(call, 0);
  const int from_scale = duckdb::DecimalType::GetScale(call.type(0));
  const auto precision = static_cast<int>(call.Integer(1));
  const auto scale = static_cast<int>(call.Integer(2));
  const CallSite site = call.Site(3);
  call.Returns(LogicalType::DECIMAL(static_cast<uint8_t>(precision), static_cast<uint8_t>(scale)));
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell>(arguments, result, [&](DecimalCell cell) -> std::optional<DecimalCell> {
      const auto value = Rescale(cell.unscaled, from_scale, scale, precision);
      if (value) return DecimalCell{*value};
      if (site.ansi()) ThrowArithmeticOverflow(site, "Overflow in sum of decimals", "try_sum");
      return std::nullopt;
    });
  };
}

ScalarKernel BindDecimalAverage(ScalarCall& call) {
  RequireDecimal(call, 0);
  const int from_scale = duckdb::DecimalType::GetScale(call.type(0));
  const auto precision = static_cast<int>(call.Integer(2));
  const auto scale = static_cast<int>(call.Integer(3));
  const CallSite site = call.Site(4);
  call.Expect(1, LogicalType::BIGINT);
  call.Returns(LogicalType::DECIMAL(static_cast<uint8_t>(precision), static_cast<uint8_t>(scale)));
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell, int64_t>(
        arguments, result, [&](DecimalCell sum, int64_t count) -> std::optional<DecimalCell> {
          if (count == 0) return std::nullopt;
          const auto value = DecimalDivide(sum.unscaled, from_scale, count, 0, precision, scale);
          if (value) return DecimalCell{*value};
          if (site.ansi())
            ThrowNumericOutOfRange(site, DecimalToPlainString(sum.unscaled, from_scale), precision,
                                   scale);
          return std::nullopt;
        });
  };
}

/// HALF_UP to a whole number; nullopt where the carrier does not hold it.
template <typename Carrier>
std::optional<Carrier> RoundToCarrier(double value) {
  const double rounded = std::round(value);
  constexpr double kLimit = sizeof(Carrier) == 4 ? 2147483648.0 : 9223372036854775808.0;
  if (!(rounded < kLimit && rounded >= -kLimit)) return std::nullopt;
  return static_cast<Carrier>(rounded);
}

template <typename Carrier>
std::optional<Carrier> FitCarrier(std::optional<Int128> value) {
  if (!value || *value > std::numeric_limits<Carrier>::max() ||
      *value < std::numeric_limits<Carrier>::min())
    return std::nullopt;
  return static_cast<Carrier>(*value);
}

template <typename Carrier, bool kDivide>
ScalarKernel IntervalByNumber(ScalarCall& call, const CallSite& site) {
  const auto settle = [site](std::optional<Carrier> value) {
    if (!value && site.mode != EvalMode::kTry)
      ThrowIntervalOverflow(site, kDivide ? "try_divide" : "try_multiply");
    return value;
  };
  const auto fails_on_zero = [site](bool zero) {
    if (kDivide && zero && site.mode != EvalMode::kTry)
      site.Throw(Error(ErrorClass::INTERVAL_DIVIDED_BY_ZERO));
    return kDivide && zero;
  };
  switch (call.type(1).id()) {
    case LogicalTypeId::FLOAT:
    case LogicalTypeId::DOUBLE:
      call.Expect(1, LogicalType::DOUBLE);
      return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<Carrier, double>(
            arguments, result, [&](Carrier interval, double number) -> std::optional<Carrier> {
              if (fails_on_zero(number == 0)) return std::nullopt;
              const auto value = static_cast<double>(interval);
              return settle(RoundToCarrier<Carrier>(kDivide ? value / number : value * number));
            });
      };
    case LogicalTypeId::DECIMAL:
      return [=, scale = duckdb::DecimalType::GetScale(call.type(1))](duckdb::DataChunk& arguments,
                                                                      duckdb::Vector& result) {
        MapRows<Carrier, DecimalCell>(
            arguments, result, [&](Carrier interval, DecimalCell number) -> std::optional<Carrier> {
              if (fails_on_zero(number.unscaled == 0)) return std::nullopt;
              return settle(FitCarrier<Carrier>(
                  kDivide
                      ? DecimalDivide(interval, 0, number.unscaled, scale, kMaxDecimalPrecision, 0)
                      : DecimalMultiply(interval, 0, number.unscaled, scale, kMaxDecimalPrecision,
                                        0)));
            });
      };
    default:
      call.Expect(1, LogicalType::BIGINT);
      return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<Carrier, int64_t>(
            arguments, result, [&](Carrier interval, int64_t number) -> std::optional<Carrier> {
              if (fails_on_zero(number == 0)) return std::nullopt;
              return settle(FitCarrier<Carrier>(
                  kDivide ? DecimalDivide(interval, 0, number, 0, kMaxDecimalPrecision, 0)
                          : std::optional<Int128>(Int128{interval} * number)));
            });
      };
  }
}

template <bool kDivide>
ScalarKernel BindIntervalByNumber(ScalarCall& call) {
  const CallSite site = call.Site(2);
  call.Returns(call.type(0));
  call.KeepArguments(2);
  return call.type(0).id() == LogicalTypeId::INTEGER
             ? IntervalByNumber<int32_t, kDivide>(call, site)
             : IntervalByNumber<int64_t, kDivide>(call, site);
}

}  // namespace

void RegisterDecimalFunctions(FunctionRegistry& registry) {
  registry.Add("mg_decimal_add", BindAdd<1>);
  registry.Add("mg_decimal_subtract", BindAdd<-1>);
  registry.Add("mg_decimal_multiply", BindMultiply);
  registry.Add("mg_decimal_divide", BindDecimalDivide);
  registry.Add("mg_decimal_remainder", BindDecimalRemainder);
  registry.Add("mg_decimal_pmod", BindDecimalPmod);
  registry.Add("mg_decimal_divide_integral", BindDecimalIntegralDivide);
  registry.Add("mg_decimal_check", BindDecimalCheck);
  registry.Add("mg_decimal_avg", BindDecimalAverage);
  const auto add_rounding = [&](const std::string& name, RoundingMode mode) {
    registry.Add("mg_decimal_" + name, [mode](ScalarCall& call) { return BindRound(call, mode); });
    registry.Add("mg_" + name, [mode](ScalarCall& call) { return BindRoundNumber(call, mode); });
  };
  add_rounding("round", RoundingMode::kHalfUp);
  add_rounding("bround", RoundingMode::kHalfEven);
  add_rounding("ceil", RoundingMode::kCeiling);
  add_rounding("floor", RoundingMode::kFloor);
  registry.Add("mg_interval_multiply", BindIntervalByNumber<false>);
  registry.Add("mg_interval_divide", BindIntervalByNumber<true>);
}

}  // namespace merganser::engine
