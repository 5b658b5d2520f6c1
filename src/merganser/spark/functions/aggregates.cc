#include <algorithm>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/registry.h"

/// Aggregate functions that are no statistics.
namespace merganser {
namespace {

constexpr const char* kNumericOrInterval = "\"NUMERIC\" or \"ANSI INTERVAL\"";

/// sum, avg and the like take strings as DOUBLE.
Status RequireSummable(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.type(0).is_string() || call.type(0).is(TypeId::kNull)) call.Cast(0, DataType::Double());
  const DataType& type = call.type(0);
  const bool interval = type.is(TypeId::kYearMonthInterval) || type.is(TypeId::kDayTimeInterval);
  if (type.is_numeric() || interval) return Status::Ok();
  return call.UnexpectedInput(0, kNumericOrInterval);
}

Result<BoundExpressionPtr> ResolveSum(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(RequireSummable(call));
  const DataType& type = call.type(0);
  if (type.is(TypeId::kDecimal))
    return call.Finish(BoundedDecimal(type.precision() + 10, type.scale()), true);
  if (type.is_interval()) return call.Finish(type, true);
  return call.Finish(type.is_integral() ? DataType::Long() : DataType::Double(), true);
}

Result<BoundExpressionPtr> ResolveAverage(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(RequireSummable(call));
  const DataType& type = call.type(0);
  if (type.is(TypeId::kDecimal))
    return call.Finish(BoundedDecimal(type.precision() + 4, type.scale() + 4), true);
  if (type.is(TypeId::kYearMonthInterval)) return call.Finish(DataType::YearMonthInterval(), true);
  if (type.is(TypeId::kDayTimeInterval)) return call.Finish(DataType::DayTimeInterval(), true);
  return call.Finish(DataType::Double(), true);
}

Result<BoundExpressionPtr> ResolveCount(CallBinder& call) {
  if (call.size() == 0) {
    return call.At(Error(ErrorClass::WRONG_NUM_ARGS,
                         {{"functionName", "`count`"},
                          {"expectedNum", ">= 1"},
                          {"actualNum", "0"},
                          {"legacyNum", "0"},
                          {"legacyConfKey", "\"spark.sql.legacy.allowParameterlessCount\""},
                          {"legacyConfValue", "\"true\""}},
                         "WITH_SUGGESTION"));
  }
  return call.Finish(DataType::Long(), false);
}

/// min and max.
Result<BoundExpressionPtr> ResolveExtreme(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (!IsOrderable(call.type(0))) {
    return call.Mismatch("INVALID_ORDERING_TYPE",
                         {{"functionName", QuotedIdentifier(call.entry().name)},
                          {"dataType", QuotedType(call.type(0))}});
  }
  return call.Finish(call.type(0), true);
}

/// first, last, any_value and their synonyms: `(x, true)` is `(x) IGNORE NULLS`.
Result<BoundExpressionPtr> ResolveFirst(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  if (call.size() == 1) return call.Finish(call.type(0), true);
  const auto ignore_nulls = call.Constant(1);
  if (!ignore_nulls) return call.NonFoldable(1, "ignoreNulls");
  if (!ignore_nulls->type.is(TypeId::kBoolean)) return call.UnexpectedInput(1, "\"BOOLEAN\"");
  call.arguments().pop_back();
  BoundExpression finished = *call.Finish(call.type(0), true);
  BoundAggregate aggregate = *finished.As<BoundAggregate>();
  aggregate.ignore_nulls =
      aggregate.ignore_nulls || (!ignore_nulls->is_null() && std::get<bool>(ignore_nulls->value));
  return MakeBound(std::move(aggregate), finished.type, true, finished.origin);
}

/// collect_list, array_agg and collect_set.
bool ContainsMap(const DataType& type) {
  if (type.is(TypeId::kArray)) return ContainsMap(type.element());
  if (!type.is(TypeId::kStruct)) return type.is(TypeId::kMap);
  return std::ranges::any_of(type.fields(),
                             [](const StructField& field) { return ContainsMap(field.type); });
}

Result<BoundExpressionPtr> ResolveCollect(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.entry().name == "collect_set" && ContainsMap(call.type(0))) {
    return call.Mismatch(
        "UNSUPPORTED_INPUT_TYPE",
        {{"functionName", "`collect_set`"}, {"dataType", "\"MAP\" or \"COLLATED STRING\""}});
  }
  return call.Finish(DataType::Array(call.type(0), false), false);
}

/// max_by and min_by: with a third argument the best so many.
Result<BoundExpressionPtr> ResolveExtremeBy(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  if (!IsOrderable(call.type(1))) {
    return call.Mismatch("INVALID_ORDERING_TYPE",
                         {{"functionName", QuotedIdentifier(call.entry().name)},
                          {"dataType", QuotedType(call.type(1))}});
  }
  if (call.size() == 2) return call.Finish(call.type(0), true);
  MERGANSER_RETURN_IF_ERROR(call.Apply("any, any, int -> any"));
  if (!call.Constant(2)) return call.NonFoldable(2, "k");
  return call.Finish(DataType::Array(call.type(0)), true);
}

/// listagg and string_agg: (text or binary [, delimiter]).
Result<BoundExpressionPtr> ResolveListAgg(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  const auto& order = call.request().within_group;
  if (call.request().distinct && !order.empty() &&
      (order.size() > 1 || !SameExpression(*order[0].child, *call.argument(0)))) {
    return call.At(Error(ErrorClass::INVALID_WITHIN_GROUP_EXPRESSION,
                         {{"funcName", QuotedIdentifier(call.entry().name)},
                          {"funcArg", QuotedExpression(*call.argument(0))},
                          {"orderingExpr", QuotedExpression(*order[0].child)}},
                         "MISMATCH_WITH_DISTINCT_INPUT"));
  }
  if (call.size() == 1) call.arguments().push_back(call.Constant(plan::Literal{}));
  if (call.type(0).is(TypeId::kBinary)) return call.ApplyAndFinish("binary, binary -> binary?");
  return call.ApplyAndFinish("string, string -> string?");
}

constexpr std::string_view kBoolean = "boolean -> boolean?";
constexpr std::string_view kBits = "integral -> $0?";

constexpr FunctionEntry kAggregatesFunctions[] = {
    {.name = "any", .signature = kBoolean, .kind = FunctionKind::kAggregate},
    {.name = "any_value", .resolve = &ResolveFirst, .kind = FunctionKind::kAggregate},
    {.name = "array_agg",
     .resolve = &ResolveCollect,
     .printed = "collect_list",
     .kind = FunctionKind::kAggregate},
    {.name = "avg", .resolve = &ResolveAverage, .kind = FunctionKind::kAggregate},
    {.name = "bit_and", .signature = kBits, .kind = FunctionKind::kAggregate},
    {.name = "bit_or", .signature = kBits, .kind = FunctionKind::kAggregate},
    {.name = "bit_xor", .signature = kBits, .kind = FunctionKind::kAggregate},
    {.name = "bitmap_and_agg", .signature = "binary -> binary!", .kind = FunctionKind::kAggregate},
    {.name = "bitmap_construct_agg",
     .signature = "bigint -> binary!",
     .kind = FunctionKind::kAggregate},
    {.name = "bitmap_or_agg", .signature = "binary -> binary!", .kind = FunctionKind::kAggregate},
    {.name = "bool_and", .signature = kBoolean, .kind = FunctionKind::kAggregate},
    {.name = "bool_or", .signature = kBoolean, .kind = FunctionKind::kAggregate},
    {.name = "collect_list", .resolve = &ResolveCollect, .kind = FunctionKind::kAggregate},
    {.name = "collect_set", .resolve = &ResolveCollect, .kind = FunctionKind::kAggregate},
    {.name = "count", .resolve = &ResolveCount, .kind = FunctionKind::kAggregate},
    {.name = "count_if", .signature = "boolean -> bigint!", .kind = FunctionKind::kAggregate},
    {.name = "every", .signature = kBoolean, .kind = FunctionKind::kAggregate},
    {.name = "first", .resolve = &ResolveFirst, .kind = FunctionKind::kAggregate},
    {.name = "first_value", .resolve = &ResolveFirst, .kind = FunctionKind::kAggregate},
    {.name = "last", .resolve = &ResolveFirst, .kind = FunctionKind::kAggregate},
    {.name = "last_value", .resolve = &ResolveFirst, .kind = FunctionKind::kAggregate},
    {.name = "listagg", .resolve = &ResolveListAgg, .kind = FunctionKind::kAggregate},
    {.name = "max", .resolve = &ResolveExtreme, .kind = FunctionKind::kAggregate},
    {.name = "max_by", .resolve = &ResolveExtremeBy, .kind = FunctionKind::kAggregate},
    {.name = "mean", .resolve = &ResolveAverage, .kind = FunctionKind::kAggregate},
    {.name = "min", .resolve = &ResolveExtreme, .kind = FunctionKind::kAggregate},
    {.name = "min_by", .resolve = &ResolveExtremeBy, .kind = FunctionKind::kAggregate},
    {.name = "schema_of_variant_agg",
     .signature = "variant -> string!",
     .kind = FunctionKind::kAggregate},
    {.name = "some", .signature = kBoolean, .kind = FunctionKind::kAggregate},
    {.name = "string_agg", .resolve = &ResolveListAgg, .kind = FunctionKind::kAggregate},
    {.name = "sum", .resolve = &ResolveSum, .kind = FunctionKind::kAggregate},
    {.name = "try_avg", .resolve = &ResolveAverage, .kind = FunctionKind::kAggregate},
    {.name = "try_sum", .resolve = &ResolveSum, .kind = FunctionKind::kAggregate},
    {.name = "vector_avg",
     .signature = "array<float> -> array<float>?",
     .kind = FunctionKind::kAggregate},
    {.name = "vector_sum",
     .signature = "array<float> -> array<float>?",
     .kind = FunctionKind::kAggregate},

    // Which grouping columns a row of GROUPING SETS, CUBE or ROLLUP leaves out.
    {.name = "grouping", .signature = "any -> tinyint!"},
    {.name = "grouping_id", .signature = "any... -> bigint!"},
};

}  // namespace

std::span<const FunctionEntry> AggregateFunctions() { return kAggregatesFunctions; }

}  // namespace merganser
