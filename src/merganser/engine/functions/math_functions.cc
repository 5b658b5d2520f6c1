// Functions of doubles, which never fail and follow Java at the edges of their domains; number
// bases.
#include <cmath>
#include <limits>
#include <string>

#include "merganser/engine/functions/arithmetic_errors.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/number_base.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/strict_math.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

using MaybeDouble = std::optional<double>;

/// Java has one NaN; the processor's undefined results are negative ones.
double Canonical(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}
MaybeDouble Canonical(MaybeDouble value) { return value ? Canonical(*value) : value; }

template <typename F>
void AddUnary(FunctionRegistry& registry, const std::string& name, F f) {
  registry.Add(name, {LogicalType::DOUBLE}, LogicalType::DOUBLE,
               [f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<double>(arguments, result, [&](double x) { return Canonical(f(x)); });
               });
}

template <typename F>
void AddBinary(FunctionRegistry& registry, const std::string& name, F f) {
  registry.Add(name, {LogicalType::DOUBLE, LogicalType::DOUBLE}, LogicalType::DOUBLE,
               [f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<double, double>(arguments, result,
                                         [&](double x, double y) { return Canonical(f(x, y)); });
               });
}

int64_t SaturatingLong(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
  if (value <= -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

std::optional<int64_t> WidthBucket(double value, double low, double high, int64_t buckets) {
  if (buckets <= 0 || buckets == std::numeric_limits<int64_t>::max() || std::isnan(value) ||
      low == high || !std::isfinite(low) || !std::isfinite(high)) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(buckets);
  if (low < high) {
    if (value < low) return 0;
    if (value >= high) return buckets + 1;
    return static_cast<int64_t>(count * (value - low) / (high - low)) + 1;
  }
  if (value > low) return 0;
  if (value <= high) return buckets + 1;
  return static_cast<int64_t>(count * (low - value) / (low - high)) + 1;
}

std::optional<int64_t> Factorial(int32_t n) {
  if (n < 0 || n > 20) return std::nullopt;
  int64_t out = 1;
  for (int32_t i = 2; i <= n; ++i) out *= i;
  return out;
}

void AddDoubleFunctions(FunctionRegistry& registry) {
  AddUnary(registry, "mg_acos", &StrictAcos);
  AddUnary(registry, "mg_acosh", &StrictAcosh);
  AddUnary(registry, "mg_asin", &StrictAsin);
  AddUnary(registry, "mg_asinh", &StrictAsinh);
  AddUnary(registry, "mg_atan", &StrictAtan);
  AddUnary(registry, "mg_atanh", &StrictAtanh);
  AddUnary(registry, "mg_cbrt", &StrictCbrt);
  AddUnary(registry, "mg_cos", [](double x) { return std::cos(x); });
  AddUnary(registry, "mg_cosh", &StrictCosh);
  AddUnary(registry, "mg_cot", [](double x) { return 1 / std::tan(x); });
  AddUnary(registry, "mg_csc", [](double x) { return 1 / std::sin(x); });
  AddUnary(registry, "mg_sec", [](double x) { return 1 / std::cos(x); });
  AddUnary(registry, "mg_degrees", [](double x) { return x * (180.0 / M_PI); });
  AddUnary(registry, "mg_radians", [](double x) { return x * (M_PI / 180.0); });
  AddUnary(registry, "mg_exp", &StrictExp);
  AddUnary(registry, "mg_expm1", &StrictExpm1);
  AddUnary(registry, "mg_rint", [](double x) { return std::nearbyint(x); });
  AddUnary(registry, "mg_signum", [](double x) {
    return std::isnan(x) || x == 0 ? x : x < 0 ? -1.0 : 1.0;
  });
  AddUnary(registry, "mg_sin", [](double x) { return std::sin(x); });
  AddUnary(registry, "mg_sinh", &StrictSinh);
  AddUnary(registry, "mg_sqrt", [](double x) { return std::sqrt(x); });
  AddUnary(registry, "mg_tan", [](double x) { return std::tan(x); });
  AddUnary(registry, "mg_tanh", &StrictTanh);
  AddUnary(registry, "mg_ln", [](double x) { return x <= 0 ? MaybeDouble() : StrictLog(x); });
  AddUnary(registry, "mg_log10", [](double x) { return x <= 0 ? MaybeDouble() : StrictLog10(x); });
  AddUnary(registry, "mg_log2",
           [](double x) { return x <= 0 ? MaybeDouble() : StrictLog(x) / StrictLog(2.0); });
  AddUnary(registry, "mg_log1p", [](double x) { return x <= -1 ? MaybeDouble() : StrictLog1p(x); });
  AddBinary(registry, "mg_log", [](double base, double x) {
    return base <= 0 || x <= 0 ? MaybeDouble() : StrictLog(x) / StrictLog(base);
  });
  // Adding zero turns -0.0 into 0.0, as Spark does.
  AddBinary(registry, "mg_atan2", [](double y, double x) { return StrictAtan2(y + 0.0, x + 0.0); });
  AddBinary(registry, "mg_hypot", &StrictHypot);
  AddBinary(registry, "mg_pow", &StrictPow);
}

}  // namespace

void RegisterMathFunctions(FunctionRegistry& registry) {
  AddDoubleFunctions(registry);
  registry.Add("mg_ceil_long", {LogicalType::DOUBLE}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<double>(arguments, result,
                                 [](double x) { return SaturatingLong(std::ceil(x)); });
               });
  registry.Add("mg_floor_long", {LogicalType::DOUBLE}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<double>(arguments, result,
                                 [](double x) { return SaturatingLong(std::floor(x)); });
               });
  registry.Add("mg_width_bucket",
               {LogicalType::DOUBLE, LogicalType::DOUBLE, LogicalType::DOUBLE, LogicalType::BIGINT},
               LogicalType::BIGINT, [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<double, double, double, int64_t>(arguments, result, WidthBucket);
               });
  registry.Add("mg_factorial", {LogicalType::INTEGER}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int32_t>(arguments, result, Factorial);
               });
  registry.Add("mg_bin", {LogicalType::BIGINT}, LogicalType::VARCHAR,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int64_t>(arguments, result, [](int64_t value) {
                   return UnsignedText(static_cast<uint64_t>(value), 2);
                 });
               });
  registry.Add("mg_hex", [](ScalarCall& call) -> ScalarKernel {
    call.Returns(LogicalType::VARCHAR);
    call.KeepArguments(1);
    call.NeverFails();
    if (call.type(0).InternalType() == duckdb::PhysicalType::VARCHAR) {
      return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<std::string_view>(arguments, result, HexText);
      };
    }
    call.Expect(0, LogicalType::BIGINT);
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t>(arguments, result, [](int64_t value) {
        return UnsignedText(static_cast<uint64_t>(value), 16);
      });
    };
  });
  registry.Add("mg_unhex", {LogicalType::VARCHAR}, LogicalType::BLOB,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<std::string_view>(arguments, result, ParseHex);
               });
  registry.Add("mg_conv", [](ScalarCall& call) -> ScalarKernel {
    const CallSite site = call.Site(3);
    call.Expect(0, LogicalType::VARCHAR);
    call.Expect(1, LogicalType::INTEGER);
    call.Expect(2, LogicalType::INTEGER);
    call.Returns(LogicalType::VARCHAR);
    call.KeepArguments(3);
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<std::string_view, int32_t, int32_t>(
          arguments, result, [&](std::string_view text, int32_t from, int32_t to) {
            bool overflow = false;
            auto converted = ConvertBase(text, from, to, &overflow);
            if (overflow && site.ansi())
              ThrowArithmeticOverflow(site, "Overflow in function conv()", "");
            return converted;
          });
    };
  });
}

}  // namespace merganser::engine
