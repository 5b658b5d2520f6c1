#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// Functions that only windows compute.
namespace merganser {
namespace {

/// rank, dense_rank and percent_rank: arguments are allowed and mean nothing.
Result<BoundExpressionPtr> ResolveRank(CallBinder& call) {
  call.arguments().clear();
  const bool fraction = call.entry().name == "percent_rank";
  return call.Finish(fraction ? DataType::Double() : DataType::Integer(), false);
}

std::string PrintRank(const BoundCall& call, const std::vector<std::string>&) {
  std::string name = call.function;
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name + "()";
}

/// Clients may give IGNORE NULLS as an argument after the `count` others. Takes it off; true if
/// NULLs are to be left out.
Result<bool> TakeIgnoreNulls(CallBinder& call, size_t count) {
  bool ignore_nulls = call.request().ignore_nulls.value_or(false);
  if (call.size() == count + 1 && call.type(count).is(TypeId::kBoolean)) {
    const auto flag = call.Constant(count);
    if (!flag || flag->is_null()) return call.NonFoldable(count, "ignoreNulls");
    ignore_nulls = ignore_nulls || std::get<bool>(flag->value);
    call.arguments().pop_back();
  }
  return ignore_nulls;
}

/// lag and lead: (value, offset = 1, default = NULL). IGNORE NULLS travels as a fourth argument,
/// which does not print.
Result<BoundExpressionPtr> ResolveOffset(CallBinder& call) {
  MERGANSER_ASSIGN_OR_RETURN(const bool ignore_nulls, TakeIgnoreNulls(call, 3));
  MERGANSER_RETURN_IF_ERROR(call.Apply("any, int = 1, any = null -> $0"));
  if (!call.Constant(1)) return call.NonFoldable(1, "offset");
  if (call.type(2).is(TypeId::kNull)) {
    call.Cast(2, call.type(0));
  } else if (!call.CastToCommonType(0, 2)) {
    return call.UnexpectedInput(2, QuotedType(call.type(0)));
  }
  const bool nullable = call.argument(0)->nullable || call.argument(2)->nullable;
  const DataType type = call.type(0);
  if (ignore_nulls) {
    call.arguments().push_back(call.Constant(plan::Literal{DataType::Boolean(), true}));
  }
  return call.Finish(type, nullable);
}

std::string PrintOffset(const BoundCall& call, const std::vector<std::string>& arguments) {
  return call.function + "(" + arguments[0] + ", " + arguments[1] + ", " + arguments[2] + ")";
}

Result<BoundExpressionPtr> ResolveNthValue(CallBinder& call) {
  MERGANSER_ASSIGN_OR_RETURN(const bool ignore_nulls, TakeIgnoreNulls(call, 2));
  MERGANSER_RETURN_IF_ERROR(call.Apply("any, int -> $0?"));
  const auto position = call.ConstantInteger(1);
  if (!position) return call.NonFoldable(1, "offset");
  if (*position <= 0) {
    return call.Mismatch("VALUE_OUT_OF_RANGE", {{"exprName", "`offset`"},
                                                {"valueRange", "(0, 9223372036854775807]"},
                                                {"currentValue", std::to_string(*position) + "L"}});
  }
  const DataType type = call.type(0);
  if (ignore_nulls) {
    call.arguments().push_back(call.Constant(plan::Literal{DataType::Boolean(), true}));
  }
  return call.Finish(type, true);
}

Result<BoundExpressionPtr> ResolveNtile(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("int = 1 -> int!"));
  const auto buckets = call.ConstantInteger(0);
  if (!buckets) return call.NonFoldable(0, "buckets");
  if (*buckets <= 0) {
    return call.Mismatch("VALUE_OUT_OF_RANGE", {{"exprName", "buckets"},
                                                {"valueRange", "(0, 2147483647]"},
                                                {"currentValue", std::to_string(*buckets)}});
  }
  return call.Finish(DataType::Integer(), false);
}

std::string PrintNthValue(const BoundCall& call, const std::vector<std::string>& arguments) {
  return call.function + "(" + arguments[0] + ", " + arguments[1] + ")";
}

constexpr FunctionKind kWindow = FunctionKind::kWindow;

constexpr FunctionEntry kWindowsFunctions[] = {
    {.name = "cume_dist", .signature = "-> double!", .kind = kWindow},
    {.name = "dense_rank", .resolve = &ResolveRank, .kind = kWindow, .print = &PrintRank},
    {.name = "lag", .resolve = &ResolveOffset, .kind = kWindow, .print = &PrintOffset},
    {.name = "lead", .resolve = &ResolveOffset, .kind = kWindow, .print = &PrintOffset},
    {.name = "nth_value", .resolve = &ResolveNthValue, .kind = kWindow, .print = &PrintNthValue},
    {.name = "ntile", .resolve = &ResolveNtile, .kind = kWindow},
    {.name = "percent_rank", .resolve = &ResolveRank, .kind = kWindow, .print = &PrintRank},
    {.name = "rank", .resolve = &ResolveRank, .kind = kWindow, .print = &PrintRank},
    {.name = "row_number", .signature = "-> int!", .kind = kWindow},
};

}  // namespace

std::span<const FunctionEntry> WindowFunctions() { return kWindowsFunctions; }

}  // namespace merganser
