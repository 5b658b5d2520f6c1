#include <algorithm>

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

/// Type of a decimal after rounding to `scale` digits: one more integral digit for the carry.
DataType RoundedDecimal(const DataType& type, int64_t scale) {
  const int integral = type.precision() - type.scale() + 1;
  if (scale < 0) {
    const int64_t precision = std::max<int64_t>(integral, -scale + 1);
    return BoundedDecimal(static_cast<int>(std::min<int64_t>(precision, kMaxDecimalPrecision)), 0);
  }
  const int kept = static_cast<int>(std::min<int64_t>(type.scale(), scale));
  return BoundedDecimal(integral + kept, kept);
}

/// round(x, scale) and bround; ceil and floor with two arguments, which always give decimals.
Result<BoundExpressionPtr> ResolveRounding(CallBinder& call, std::string_view signature) {
  MERGANSER_RETURN_IF_ERROR(call.Apply(signature));
  const auto scale = call.Constant(1);
  if (!scale) return call.NonFoldable(1, "scale");
  call.arguments()[1] = call.Constant(*scale);
  const int64_t digits = scale->is_null() ? 0 : std::get<int64_t>(scale->value);
  const DataType type =
      call.type(0).is(TypeId::kDecimal) ? RoundedDecimal(call.type(0), digits) : call.type(0);
  return call.Finish(type, true);
}

Result<BoundExpressionPtr> ResolveRound(CallBinder& call) {
  return ResolveRounding(call, "numeric, int = 0 -> $0");
}

/// ceil, ceiling and floor.
Result<BoundExpressionPtr> ResolveCeiling(CallBinder& call) {
  if (call.size() == 2) return ResolveRounding(call, "decimal, int -> $0");
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.type(0).is_integral()) call.Cast(0, DataType::Long());
  MERGANSER_RETURN_IF_ERROR(call.Apply("double|decimal|bigint -> bigint"));
  if (!call.type(0).is(TypeId::kDecimal)) return call.Finish(DataType::Long());
  const int integral = call.type(0).precision() - call.type(0).scale() + 1;
  return call.Finish(
      BoundedDecimal(call.type(0).scale() == 0 ? call.type(0).precision() : integral, 0));
}

std::string PrintCeiling(const BoundCall& call, const std::vector<std::string>& arguments) {
  if (arguments.size() == 2) return call.function + "(" + arguments[0] + ", " + arguments[1] + ")";
  if (call.function == "ceiling") return "ceiling(" + arguments[0] + ")";
  return (call.function == "ceil" ? "CEIL(" : "FLOOR(") + arguments[0] + ")";
}

Result<BoundExpressionPtr> ResolveLog(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  if (call.size() == 2) return call.ApplyAndFinish("double, double -> double?");
  return call.ApplyAndFinish("double -> double?");
}

std::string PrintLog(const BoundCall&, const std::vector<std::string>& arguments) {
  return arguments.size() == 2 ? "LOG(" + arguments[0] + ", " + arguments[1] + ")"
                               : "LOG(E(), " + arguments[0] + ")";
}

/// rand, random and randn: the seed is a constant, NULL meaning 0.
Result<BoundExpressionPtr> ResolveRandom(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 1));
  if (call.size() == 1) {
    MERGANSER_RETURN_IF_ERROR(call.Apply("int|bigint -> double"));
    if (!call.Constant(0)) {
      return call.At(
          Error(ErrorClass::SEED_EXPRESSION_IS_UNFOLDABLE,
                {{"seedExpr", QuotedExpression(*call.argument(0))},
                 {"exprWithSeed", QuotedExpression(*call.Finish(DataType::Double(), false))}}));
    }
  }
  return call.Finish(DataType::Double(), false);
}

/// uniform(min, max [, seed]): the wider type of the bounds, a decimal bound making it a DOUBLE
/// unless both are.
Result<BoundExpressionPtr> ResolveUniform(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  const char* signature = "numeric, numeric, int|bigint? -> double";
  MERGANSER_RETURN_IF_ERROR(call.Apply(signature));
  for (size_t i = 0; i < call.size(); ++i) {
    if (!call.Constant(i)) return call.NonFoldable(i, i == 0 ? "min" : (i == 1 ? "max" : "seed"));
  }
  const bool integral = call.type(0).is_integral() && call.type(1).is_integral();
  const auto common = call.CastToCommonType(0, 1);
  const DataType type = integral ? WiderNumber(call.type(0), call.type(1)) : DataType::Double();
  if (!common) return call.UnexpectedInput(0, "\"NUMERIC\"");
  for (size_t i = 0; i < 2; ++i) call.Cast(i, type);
  return call.Finish(type, false);
}

Result<BoundExpressionPtr> ResolveWidthBucket(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(4, 4));
  if (call.type(0).is(TypeId::kYearMonthInterval)) {
    return call.ApplyAndFinish("year_month, year_month, year_month, bigint -> bigint?");
  }
  if (call.type(0).is(TypeId::kDayTimeInterval)) {
    return call.ApplyAndFinish("day_time, day_time, day_time, bigint -> bigint?");
  }
  return call.ApplyAndFinish("double, double, double, bigint -> bigint?");
}

constexpr std::string_view kUnary = "double -> double?";
constexpr std::string_view kPartial = "double -> double?";

constexpr FunctionEntry kMathFunctions[] = {
    {.name = "round", .resolve = &ResolveRound},
    {.name = "bround", .resolve = &ResolveRound},
    {.name = "ceil", .resolve = &ResolveCeiling, .print = &PrintCeiling},
    {.name = "ceiling", .resolve = &ResolveCeiling, .print = &PrintCeiling},
    {.name = "floor", .resolve = &ResolveCeiling, .print = &PrintCeiling},
    {.name = "acos", .signature = kUnary, .printed = "ACOS"},
    {.name = "acosh", .signature = kUnary, .printed = "ACOSH"},
    {.name = "asin", .signature = kUnary, .printed = "ASIN"},
    {.name = "asinh", .signature = kUnary, .printed = "ASINH"},
    {.name = "atan", .signature = kUnary, .printed = "ATAN"},
    {.name = "atan2", .signature = "double, double -> double", .printed = "ATAN2"},
    {.name = "atanh", .signature = kUnary, .printed = "ATANH"},
    {.name = "cbrt", .signature = kUnary, .printed = "CBRT"},
    {.name = "cos", .signature = kUnary, .printed = "COS"},
    {.name = "cosh", .signature = kUnary, .printed = "COSH"},
    {.name = "cot", .signature = kUnary, .printed = "COT"},
    {.name = "csc", .signature = kUnary, .printed = "CSC"},
    {.name = "degrees", .signature = kUnary, .printed = "DEGREES"},
    {.name = "e", .signature = "-> double!", .printed = "E"},
    {.name = "exp", .signature = kUnary, .printed = "EXP"},
    {.name = "expm1", .signature = kUnary, .printed = "EXPM1"},
    {.name = "hypot", .signature = "double, double -> double", .printed = "HYPOT"},
    {.name = "ln", .signature = kPartial},
    {.name = "log", .resolve = &ResolveLog, .print = &PrintLog},
    {.name = "log10", .signature = kPartial, .printed = "LOG10"},
    {.name = "log1p", .signature = kPartial, .printed = "LOG1P"},
    {.name = "log2", .signature = kPartial, .printed = "LOG2"},
    {.name = "pi", .signature = "-> double!", .printed = "PI"},
    {.name = "pow", .signature = "double, double -> double"},
    {.name = "power", .signature = "double, double -> double", .printed = "POWER"},
    {.name = "radians", .signature = kUnary, .printed = "RADIANS"},
    {.name = "rint", .signature = kUnary},
    {.name = "sec", .signature = kUnary, .printed = "SEC"},
    {.name = "sign", .signature = "double|year_month|day_time -> double"},
    {.name = "signum", .signature = "double|year_month|day_time -> double", .printed = "SIGNUM"},
    {.name = "sin", .signature = kUnary, .printed = "SIN"},
    {.name = "sinh", .signature = kUnary, .printed = "SINH"},
    {.name = "sqrt", .signature = kUnary, .printed = "SQRT"},
    {.name = "tan", .signature = kUnary, .printed = "TAN"},
    {.name = "tanh", .signature = kUnary, .printed = "TANH"},
    {.name = "bin", .signature = "bigint -> string"},
    {.name = "conv", .signature = "string, int, int -> string?"},
    {.name = "factorial", .signature = "int -> bigint?"},
    {.name = "hex", .signature = "bigint|binary|string -> string"},
    {.name = "unhex", .signature = "string -> binary?"},
    {.name = "width_bucket", .resolve = &ResolveWidthBucket},
    {.name = "bit_count", .signature = "boolean|integral -> int", .exact = true},
    {.name = "bit_get", .signature = "integral, int -> tinyint"},
    {.name = "getbit", .signature = "integral, int -> tinyint"},
    {.name = "rand", .resolve = &ResolveRandom, .deterministic = false, .exact = true},
    {.name = "random",
     .resolve = &ResolveRandom,
     .printed = "rand",
     .deterministic = false,
     .exact = true},
    {.name = "randn", .resolve = &ResolveRandom, .deterministic = false, .exact = true},
    {.name = "uniform", .resolve = &ResolveUniform, .deterministic = false, .exact = true},
    {.name = "randstr",
     .signature = "int|smallint, int|bigint? -> string!",
     .deterministic = false},
};

}  // namespace

std::span<const FunctionEntry> MathFunctions() { return kMathFunctions; }

}  // namespace merganser
