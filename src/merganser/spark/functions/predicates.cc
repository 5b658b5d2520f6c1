#include <limits>

#include <fmt/format.h>

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

std::optional<DataType> ComparisonType(const CallBinder& call) {
  const DataType& left = call.argument(0)->type;
  const DataType& right = call.argument(1)->type;
  auto promoted =
      call.context().ansi ? PromoteString(left, right) : FindComparisonType(left, right);
  if (promoted) return promoted;
  const bool decimals = left.is(TypeId::kDecimal) || right.is(TypeId::kDecimal);
  if (decimals && left.is_numeric() && right.is_numeric()) {
    for (const DataType* type : {&left, &right}) {
      if (type->is_floating()) return DataType::Double();
    }
    return WiderDecimal(DecimalOperand(*call.argument(0)), DecimalOperand(*call.argument(1)));
  }
  return FindTightestCommonType(left, right, call.context());
}

/// `value` rounded down or up to an integer, if a BIGINT holds it.
std::optional<int64_t> RoundToLong(const plan::Literal& literal, bool up) {
  __int128 unit = 1;
  for (int i = 0; i < literal.type.scale(); ++i) unit *= 10;
  const __int128 value = std::get<plan::DecimalValue>(literal.value).unscaled;
  __int128 whole = value / unit;
  if (value % unit != 0) {
    if (up && value > 0) ++whole;
    if (!up && value < 0) --whole;
  }
  if (whole < std::numeric_limits<int64_t>::min() || whole > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(whole);
}

/// An integer is above 1.5 exactly if it is above 1: the decimal literal in an inequality with
/// integers becomes an integer, so that the comparison is one of integers.
void RoundDecimalLiteral(CallBinder& call) {
  const std::string_view name = call.entry().name;
  if (name.front() != '<' && name.front() != '>') return;
  if (name == "<=>" || name == "<>") return;
  for (size_t i = 0; i < 2; ++i) {
    const auto* literal = call.argument(i)->As<plan::Literal>();
    if (literal == nullptr || literal->is_null() || !literal->type.is(TypeId::kDecimal)) continue;
    if (!call.type(1 - i).is_integral()) continue;
    // x < 1.5 is x < 2, x >= 1.5 is x >= 2; with the literal on the left the other way round.
    const bool up_on_right = name == "<" || name == ">=";
    if (const auto whole = RoundToLong(*literal, up_on_right == (i == 1))) {
      call.arguments()[i] = call.Constant(plan::Literal{DataType::Long(), *whole});
    }
    return;
  }
}

Result<BoundExpressionPtr> ResolveComparison(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  RoundDecimalLiteral(call);
  const auto common = ComparisonType(call);
  if (!common) {
    return call.Mismatch("BINARY_OP_DIFF_TYPES",
                         {{"left", QuotedType(call.type(0))}, {"right", QuotedType(call.type(1))}});
  }
  call.Cast(0, *common);
  call.Cast(1, *common);
  if (!IsOrderable(*common)) {
    const std::string name = call.entry().name == "<>" ? "=" : std::string(call.entry().name);
    return call.Mismatch("INVALID_ORDERING_TYPE",
                         {{"functionName", "`" + name + "`"}, {"dataType", QuotedType(*common)}});
  }
  return call.Finish(DataType::Boolean(), call.entry().name != "<=>" && call.AnyNullable());
}

/// AND and OR.
Result<BoundExpressionPtr> ResolveLogical(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  for (size_t i = 0; i < 2; ++i) {
    const bool promoted = call.type(i).is_string() && call.type(1 - i).is(TypeId::kBoolean);
    if (promoted || call.type(i).is(TypeId::kNull)) call.Cast(i, DataType::Boolean());
  }
  if (!call.type(0).SameType(call.type(1))) {
    return call.Mismatch("BINARY_OP_DIFF_TYPES",
                         {{"left", QuotedType(call.type(0))}, {"right", QuotedType(call.type(1))}});
  }
  if (!call.type(0).is(TypeId::kBoolean)) {
    return call.Mismatch("BINARY_OP_WRONG_TYPE", {{"inputType", "\"BOOLEAN\""},
                                                  {"actualDataType", QuotedType(call.type(0))}});
  }
  return call.Finish(DataType::Boolean());
}

Result<BoundExpressionPtr> ResolveIn(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, SIZE_MAX));
  const auto common = call.CastToCommonType();
  if (!common) {
    std::string types;
    for (const auto& argument : call.arguments())
      types += (types.empty() ? "[" : ", ") + QuotedType(argument->type);
    return call.Mismatch("DATA_DIFF_TYPES", {{"functionName", "`in`"}, {"dataType", types + "]"}});
  }
  if (!IsOrderable(*common)) {
    return call.Mismatch("INVALID_ORDERING_TYPE",
                         {{"functionName", "`in`"}, {"dataType", QuotedType(*common)}});
  }
  return call.Finish(DataType::Boolean());
}

Result<BoundExpressionPtr> ResolveBetween(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  MERGANSER_ASSIGN_OR_RETURN(auto lower, call.Call(">=", {call.argument(0), call.argument(1)}));
  MERGANSER_ASSIGN_OR_RETURN(auto upper, call.Call("<=", {call.argument(0), call.argument(2)}));
  MERGANSER_ASSIGN_OR_RETURN(auto both, call.Call("and", {std::move(lower), std::move(upper)}));
  return call.Replace(std::move(both));
}

Result<BoundExpressionPtr> ResolveEqualNull(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_ASSIGN_OR_RETURN(auto equal, call.Call("<=>", {call.argument(0), call.argument(1)}));
  return call.Replace(std::move(equal));
}

/// IS TRUE, IS FALSE and IS UNKNOWN are null-safe comparisons.
Result<BoundExpressionPtr> ResolveTruth(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.entry().name == "isunknown") {
    if (!call.type(0).is(TypeId::kBoolean) && !call.type(0).is(TypeId::kNull)) {
      return call.UnexpectedInput(0, "\"BOOLEAN\"");
    }
    return call.Call("isnull", {call.argument(0)});
  }
  const bool truth = call.entry().name == "istrue";
  return call.Call("<=>",
                   {call.argument(0), call.Constant(plan::Literal{DataType::Boolean(), truth})});
}

std::string PrintIn(const BoundCall&, const std::vector<std::string>& arguments) {
  std::string list;
  for (size_t i = 1; i < arguments.size(); ++i) list += (i == 1 ? "" : ", ") + arguments[i];
  return fmt::format("({} IN ({}))", arguments[0], list);
}

constexpr FunctionEntry kPredicatesFunctions[] = {
    {.name = "=", .resolve = &ResolveComparison, .printed = "({0} = {1})"},
    {.name = "==", .resolve = &ResolveComparison, .printed = "({0} = {1})"},
    {.name = "<>", .resolve = &ResolveComparison, .printed = "(NOT ({0} = {1}))"},
    {.name = "!=", .resolve = &ResolveComparison, .printed = "(NOT ({0} = {1}))"},
    {.name = "<", .resolve = &ResolveComparison, .printed = "({0} < {1})"},
    {.name = "<=", .resolve = &ResolveComparison, .printed = "({0} <= {1})"},
    {.name = ">", .resolve = &ResolveComparison, .printed = "({0} > {1})"},
    {.name = ">=", .resolve = &ResolveComparison, .printed = "({0} >= {1})"},
    {.name = "<=>", .resolve = &ResolveComparison, .printed = "({0} <=> {1})"},
    {.name = "and", .resolve = &ResolveLogical, .printed = "({0} AND {1})"},
    {.name = "or", .resolve = &ResolveLogical, .printed = "({0} OR {1})"},
    {.name = "not", .signature = "boolean -> boolean", .printed = "(NOT {0})"},
    {.name = "!", .signature = "boolean -> boolean", .printed = "(NOT {0})"},
    {.name = "isnull", .signature = "any -> boolean!", .printed = "({0} IS NULL)"},
    {.name = "isnotnull", .signature = "any -> boolean!", .printed = "({0} IS NOT NULL)"},
    {.name = "istrue", .resolve = &ResolveTruth, .internal = true},
    {.name = "isfalse", .resolve = &ResolveTruth, .internal = true},
    {.name = "isunknown", .resolve = &ResolveTruth, .internal = true},
    {.name = "in", .resolve = &ResolveIn, .print = &PrintIn},
    {.name = "between", .resolve = &ResolveBetween},
    {.name = "equal_null", .resolve = &ResolveEqualNull},
    {.name = "isnan", .signature = "double|float -> boolean!"},
};

}  // namespace

std::span<const FunctionEntry> PredicateFunctions() { return kPredicatesFunctions; }

}  // namespace merganser
