#include <cmath>
#include <limits>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

/// Aggregates of statistics: moments, regressions, percentiles, approximations.
namespace merganser {
namespace {

/// The result of percentiles over `column`: doubles for numbers, the widest interval of its kind
/// for intervals; an array if several fractions are asked for.
DataType PercentileType(const DataType& column, const DataType& fractions) {
  DataType type = DataType::Double();
  if (column.is(TypeId::kYearMonthInterval)) type = DataType::YearMonthInterval();
  if (column.is(TypeId::kDayTimeInterval)) type = DataType::DayTimeInterval();
  return fractions.is(TypeId::kArray) ? DataType::Array(type, false) : type;
}

/// Fractions are constants of [0, 1]: one, or an array.
Status RequireFractions(CallBinder& call, size_t i) {
  const bool several = call.type(i).is(TypeId::kArray);
  call.Cast(i, several ? DataType::Array(DataType::Double(), call.type(i).contains_null())
                       : DataType::Double());
  const bool constant = !ContainsAggregate(*call.argument(i)) && [&] {
    std::vector<ColumnId> ids;
    CollectColumns(*call.argument(i), ids);
    return ids.empty();
  }();
  if (!constant) return call.NonFoldable(i, "percentage");
  const auto fraction = several ? std::nullopt : call.Constant(i);
  const double* value = fraction ? std::get_if<double>(&fraction->value) : nullptr;
  if (value != nullptr && (*value < 0 || *value > 1)) {
    return call.Mismatch("VALUE_OUT_OF_RANGE",
                         {{"exprName", "percentage"},
                          {"valueRange", "[0.0, 1.0]"},
                          {"currentValue", QuotedExpression(*call.Constant(*fraction))}});
  }
  return Status::Ok();
}

/// percentile(column, fractions [, frequency]).
Result<BoundExpressionPtr> ResolvePercentile(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(
      call.Apply("numeric|year_month|day_time, double|array<double>, integral = 1 -> double"));
  MERGANSER_RETURN_IF_ERROR(RequireFractions(call, 1));
  return call.Finish(PercentileType(call.type(0), call.type(1)), true);
}

/// percentile_approx and approx_percentile: an element of the column.
Result<BoundExpressionPtr> ResolveApproxPercentile(CallBinder& call) {
  if (call.size() > 0 && call.type(0).is_string()) call.Cast(0, DataType::Double());
  MERGANSER_RETURN_IF_ERROR(
      call.Apply("numeric|date|timestamp|timestamp_ntz|year_month|day_time, double|array<double>, "
                 "integral = 10000 -> double"));
  MERGANSER_RETURN_IF_ERROR(RequireFractions(call, 1));
  const auto accuracy = call.ConstantInteger(2);
  if (accuracy && (*accuracy <= 0 || *accuracy > std::numeric_limits<int32_t>::max())) {
    return call.Mismatch("VALUE_OUT_OF_RANGE", {{"exprName", "accuracy"},
                                                {"valueRange", "(0, 2147483647]"},
                                                {"currentValue", std::to_string(*accuracy) + "L"}});
  }
  const DataType type = call.type(0);
  return call.Finish(call.type(1).is(TypeId::kArray) ? DataType::Array(type, false) : type, true);
}

Result<BoundExpressionPtr> ResolveMedian(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("numeric|year_month|day_time -> double"));
  return call.Finish(PercentileType(call.type(0), DataType::Double()), true);
}

/// percentile_cont and percentile_disc: (fractions) WITHIN GROUP (ORDER BY column).
Result<BoundExpressionPtr> ResolveInverseDistribution(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  if (call.request().within_group.size() != 1) {
    return call.At(Error(
        ErrorClass::INVALID_WITHIN_GROUP_EXPRESSION,
        {{"funcName", QuotedIdentifier(call.entry().name)}},
        call.request().within_group.empty() ? "WITHIN_GROUP_MISSING" : "WRONG_NUM_ORDERINGS"));
  }
  MERGANSER_RETURN_IF_ERROR(RequireFractions(call, 0));
  BoundSortOrder order = call.request().within_group[0];
  if (order.child->type.is_string() || order.child->type.is(TypeId::kNull)) {
    order.child = ImplicitCast(order.child, DataType::Double(), call.context());
  }
  BoundExpression finished = *call.Finish(PercentileType(order.child->type, call.type(0)), true);
  BoundAggregate aggregate = *finished.As<BoundAggregate>();
  aggregate.order = {std::move(order)};
  return MakeBound(std::move(aggregate), finished.type, true, finished.origin);
}

/// mode(x [, deterministic]) and mode() WITHIN GROUP (ORDER BY x). Of several most frequent values
/// a deterministic mode takes the first by its order; names show the order reversed.
Result<BoundExpressionPtr> ResolveMode(CallBinder& call) {
  BoundAggregate aggregate;
  aggregate.function = "mode";
  aggregate.distinct = call.request().distinct;
  aggregate.filter = call.request().filter;
  if (!call.request().within_group.empty()) {
    MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 0));
    BoundSortOrder order = call.request().within_group[0];
    order.ascending = !order.ascending;
    const DataType type = order.child->type;
    aggregate.order = {std::move(order)};
    return MakeBound(std::move(aggregate), type, true, call.request().origin);
  }
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  const DataType type = call.type(0);
  const auto deterministic =
      call.size() == 2 ? call.Constant(1) : plan::Literal{DataType::Boolean(), false};
  if (!deterministic || !deterministic->type.is(TypeId::kBoolean))
    return call.NonFoldable(1, "deterministic");
  if (!deterministic->is_null() && std::get<bool>(deterministic->value)) {
    aggregate.order = {{call.argument(0), false, false}};
  } else {
    aggregate.arguments = {call.argument(0)};
  }
  return MakeBound(std::move(aggregate), type, true, call.request().origin);
}

/// approx_count_distinct(value, deviation = 0.05): the second argument becomes the number of bits
/// that choose a register, which does not print.
Result<BoundExpressionPtr> ResolveApproxCountDistinct(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  double deviation = 0.05;
  if (call.size() == 2) {
    const auto* literal = call.argument(1)->As<plan::Literal>();
    const bool number = literal != nullptr && !literal->is_null() &&
                        (call.type(1).is(TypeId::kDouble) || call.type(1).is(TypeId::kDecimal));
    if (!number) return call.At(Error(ErrorClass::_LEGACY_ERROR_TEMP_1104));
    call.Cast(1, DataType::Double());
    const auto value = call.Constant(1);
    if (!value) return call.At(Error(ErrorClass::_LEGACY_ERROR_TEMP_1104));
    deviation = std::get<double>(value->value);
    call.arguments().pop_back();
  }
  const double bits = std::ceil(2 * std::log2(1.106 / deviation));
  if (!(bits >= 4 && bits <= 26)) {
    return call.At(Error(ErrorClass::FAILED_FUNCTION_CALL,
                         {{"funcName", QuotedIdentifier(call.entry().name)}}));
  }
  call.arguments().push_back(
      call.Constant(plan::Literal{DataType::Integer(), static_cast<int64_t>(bits)}));
  return call.Finish(DataType::Long(), false);
}

Result<BoundExpressionPtr> ResolveHistogram(CallBinder& call) {
  if (call.size() > 0 && call.type(0).is_string()) call.Cast(0, DataType::Double());
  MERGANSER_RETURN_IF_ERROR(
      call.Apply("numeric|date|timestamp|timestamp_ntz|year_month|day_time, int -> double"));
  if (const auto bins = call.ConstantInteger(1); bins && *bins < 2) {
    return call.Mismatch("VALUE_OUT_OF_RANGE", {{"exprName", "nb"},
                                                {"valueRange", "[2, 2147483647]"},
                                                {"currentValue", std::to_string(*bins)}});
  }
  StructType bin({{"x", call.type(0), true}, {"y", DataType::Double(), true}});
  return call.Finish(DataType::Array(DataType::Struct(std::move(bin)), true), true);
}

constexpr std::string_view kMoment = "double -> double?";
constexpr std::string_view kPair = "double, double -> double?";

constexpr FunctionEntry kStatisticsFunctions[] = {
    {.name = "approx_count_distinct",
     .resolve = &ResolveApproxCountDistinct,
     .kind = FunctionKind::kAggregate},
    {.name = "approx_percentile",
     .resolve = &ResolveApproxPercentile,
     .kind = FunctionKind::kAggregate},
    {.name = "corr", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "covar_pop", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "covar_samp", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "histogram_numeric", .resolve = &ResolveHistogram, .kind = FunctionKind::kAggregate},
    // Only clients of Spark Connect know this one.
    {.name = "connect_product",
     .signature = "double -> double?",
     .printed = "product",
     .kind = FunctionKind::kAggregate,
     .internal = true},
    {.name = "kurtosis", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "median", .resolve = &ResolveMedian, .kind = FunctionKind::kAggregate},
    {.name = "mode", .resolve = &ResolveMode, .kind = FunctionKind::kAggregate},
    {.name = "percentile", .resolve = &ResolvePercentile, .kind = FunctionKind::kAggregate},
    {.name = "percentile_approx",
     .resolve = &ResolveApproxPercentile,
     .kind = FunctionKind::kAggregate},
    {.name = "percentile_cont",
     .resolve = &ResolveInverseDistribution,
     .kind = FunctionKind::kAggregate},
    {.name = "percentile_disc",
     .resolve = &ResolveInverseDistribution,
     .kind = FunctionKind::kAggregate},
    {.name = "regr_avgx", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_avgy", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_count",
     .signature = "double, double -> bigint!",
     .kind = FunctionKind::kAggregate},
    {.name = "regr_intercept", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_r2", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_slope", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_sxx", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_sxy", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "regr_syy", .signature = kPair, .kind = FunctionKind::kAggregate},
    {.name = "skewness", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "std", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "stddev", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "stddev_pop", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "stddev_samp", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "var_pop", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "var_samp", .signature = kMoment, .kind = FunctionKind::kAggregate},
    {.name = "variance", .signature = kMoment, .kind = FunctionKind::kAggregate},
};

}  // namespace

std::span<const FunctionEntry> StatisticsFunctions() { return kStatisticsFunctions; }

}  // namespace merganser
