#include <random>

#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/resolve.h"

/// Mathematical functions.
namespace merganser {
namespace {

/// round, bround, and ceil, floor, ceiling with a number of digits.
std::string LowerRounding(const LoweredCall& call, std::string_view operation, int64_t digits) {
  if (call.type(0).is(TypeId::kDecimal)) {
    return FillCallPattern(
        fmt::format("mg_decimal_{}({{0}}, {}, {{p}}, {{s}}, {{mode}}, {{context}})", operation,
                    digits),
        call);
  }
  return FillCallPattern(fmt::format("mg_{}({{0}}, {}, {{mode}}, {{context}})", operation, digits),
                         call);
}

/// The number of digits; nullopt for NULL, which makes the result NULL.
std::optional<int64_t> DigitsOf(const LoweredCall& call) {
  const auto literal = FoldLiteral(*call.call.arguments[1]);
  if (!literal || literal->is_null()) return std::nullopt;
  return std::get<int64_t>(literal->value);
}

Result<std::string> LowerRound(const LoweredCall& call) {
  const auto digits = DigitsOf(call);
  if (!digits) return CastSql("NULL", EngineType(call.type()));
  return LowerRounding(call, call.call.function, *digits);
}

Result<std::string> LowerCeiling(const LoweredCall& call) {
  const std::string_view operation = call.call.function == "floor" ? "floor" : "ceil";
  if (call.arguments.size() == 2) {
    const auto digits = DigitsOf(call);
    if (!digits) return CastSql("NULL", EngineType(call.type()));
    return LowerRounding(call, operation, *digits);
  }
  if (call.type(0).is(TypeId::kDecimal)) return LowerRounding(call, operation, 0);
  if (call.type(0).is(TypeId::kLong)) return call.arguments[0];
  return FillCallPattern(fmt::format("mg_{}_long({{0}})", operation), call);
}

/// The seed at argument `i`, NULL meaning 0; without one a seed of its own for every statement.
std::string SeedSql(const LoweredCall& call, size_t i) {
  if (i < call.arguments.size())
    return fmt::format("coalesce(CAST({} AS BIGINT), 0)", call.arguments[i]);
  return fmt::format("CAST({} AS BIGINT)", std::random_device()());
}

Result<std::string> LowerLog(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 2 ? "mg_log({0}, {1})" : "mg_ln({0})", call);
}

/// rand and randn.
Result<std::string> LowerRandom(const LoweredCall& call) {
  return fmt::format("mg_{}({})", call.call.function == "randn" ? "randn" : "rand",
                     SeedSql(call, 0));
}

Result<std::string> LowerSigned(const LoweredCall& call) {
  if (call.type(0).is(TypeId::kDouble)) return FillCallPattern("mg_signum({0})", call);
  return FillCallPattern("sign({0})", call);
}

Result<std::string> LowerUniform(const LoweredCall& call) {
  const std::string value = fmt::format("{0} + ({1} - {0}) * mg_rand({2})", call.arguments[0],
                                        call.arguments[1], SeedSql(call, 2));
  return CastSql(call.type().is_integral() ? fmt::format("trunc({})", value) : value,
                 EngineType(call.type()));
}

Result<std::string> LowerRandomString(const LoweredCall& call) {
  return fmt::format("mg_randstr(CAST({} AS INTEGER), {})", call.arguments[0], SeedSql(call, 1));
}

constexpr CallLowering kMathLowerings[] = {
    {.name = "round", .lower = &LowerRound},
    {.name = "bround", .lower = &LowerRound},
    {.name = "ceil", .lower = &LowerCeiling},
    {.name = "ceiling", .lower = &LowerCeiling},
    {.name = "floor", .lower = &LowerCeiling},
    {.name = "acos", .sql = "mg_acos({0})"},
    {.name = "acosh", .sql = "mg_acosh({0})"},
    {.name = "asin", .sql = "mg_asin({0})"},
    {.name = "asinh", .sql = "mg_asinh({0})"},
    {.name = "atan", .sql = "mg_atan({0})"},
    {.name = "atan2", .sql = "mg_atan2({0}, {1})"},
    {.name = "atanh", .sql = "mg_atanh({0})"},
    {.name = "cbrt", .sql = "mg_cbrt({0})"},
    {.name = "cos", .sql = "mg_cos({0})"},
    {.name = "cosh", .sql = "mg_cosh({0})"},
    {.name = "cot", .sql = "mg_cot({0})"},
    {.name = "csc", .sql = "mg_csc({0})"},
    {.name = "degrees", .sql = "mg_degrees({0})"},
    {.name = "e", .sql = "2.718281828459045"},
    {.name = "exp", .sql = "mg_exp({0})"},
    {.name = "expm1", .sql = "mg_expm1({0})"},
    {.name = "hypot", .sql = "mg_hypot({0}, {1})"},
    {.name = "ln", .sql = "mg_ln({0})"},
    {.name = "log", .lower = &LowerLog},
    {.name = "log10", .sql = "mg_log10({0})"},
    {.name = "log1p", .sql = "mg_log1p({0})"},
    {.name = "log2", .sql = "mg_log2({0})"},
    {.name = "pi", .sql = "pi()"},
    {.name = "pow", .sql = "mg_pow({0}, {1})"},
    {.name = "power", .sql = "mg_pow({0}, {1})"},
    {.name = "radians", .sql = "mg_radians({0})"},
    {.name = "rint", .sql = "mg_rint({0})"},
    {.name = "sec", .sql = "mg_sec({0})"},
    {.name = "sign", .lower = &LowerSigned},
    {.name = "signum", .lower = &LowerSigned},
    {.name = "sin", .sql = "mg_sin({0})"},
    {.name = "sinh", .sql = "mg_sinh({0})"},
    {.name = "sqrt", .sql = "mg_sqrt({0})"},
    {.name = "tan", .sql = "mg_tan({0})"},
    {.name = "tanh", .sql = "mg_tanh({0})"},
    {.name = "bin", .sql = "mg_bin({0})"},
    {.name = "conv", .sql = "mg_conv({0}, {1}, {2}, {mode}, {context})"},
    {.name = "factorial", .sql = "mg_factorial({0})"},
    {.name = "hex", .sql = "mg_hex({0})"},
    {.name = "unhex", .sql = "mg_unhex({0})"},
    {.name = "width_bucket", .sql = "mg_width_bucket({0}, {1}, {2}, {3})"},
    {.name = "bit_count", .sql = "mg_bit_count({0})"},
    {.name = "bit_get", .sql = "mg_getbit({0}, {1})"},
    {.name = "getbit", .sql = "mg_getbit({0}, {1})"},
    {.name = "rand", .lower = &LowerRandom},
    {.name = "random", .lower = &LowerRandom},
    {.name = "randn", .lower = &LowerRandom},
    {.name = "uniform", .lower = &LowerUniform},
    {.name = "randstr", .lower = &LowerRandomString},
};

}  // namespace

std::span<const CallLowering> MathLowerings() { return kMathLowerings; }

}  // namespace merganser
