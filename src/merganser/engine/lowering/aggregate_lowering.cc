#include "merganser/engine/lowering/aggregate_lowering.h"

#include <map>

#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/nested_order.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

using AggregateLowerer = Result<std::string> (*)(const LoweredAggregate& call);

struct AggregateLowering {
  std::string_view name;
  /// Name of an engine aggregate over the arguments as they are, cast to the result type; empty if
  /// `lower` does it.
  std::string_view function = {};
  AggregateLowerer lower = nullptr;
};

std::string JoinArguments(const LoweredAggregate& call) {
  std::string text;
  for (const std::string& argument : call.arguments) text += (text.empty() ? "" : ", ") + argument;
  return text;
}

std::string Mode(const LoweredAggregate& call) {
  return call.aggregate.function.starts_with("try_") ? "'try'" : ModeSql(call.context);
}

Result<std::string> LowerCount(const LoweredAggregate& call) {
  std::string condition;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const auto literal = FoldLiteral(*call.aggregate.arguments[i]);
    if (literal && !literal->is_null()) continue;
    condition += (condition.empty() ? "" : " AND ") + call.arguments[i] + " IS NOT NULL";
  }
  if (call.aggregate.distinct) {
    const std::string row =
        call.arguments.size() == 1 ? call.arguments[0] : "row(" + JoinArguments(call) + ")";
    return call.Apply(
        "count", row,
        call.arguments.size() == 1 ? std::string_view() : std::string_view(condition));
  }
  if (call.arguments.size() == 1 && !condition.empty())
    return call.Apply("count", call.arguments[0]);
  return call.Apply("count", "*", condition);
}

Result<std::string> LowerCountIf(const LoweredAggregate& call) {
  if (call.aggregate.distinct)
    return call.Apply("count", fmt::format("CASE WHEN {} THEN true END", call.arguments[0]));
  return call.Apply("count", "*", call.arguments[0]);
}

/// The sum as `type`: the engine adds up in 128 bits; the type's limits are checked at the end.
std::string SumSql(const LoweredAggregate& call, const DataType& type) {
  const std::string sum = call.Apply("sum", call.arguments[0]);
  if (type.is(TypeId::kDecimal)) {
    return fmt::format("mg_decimal_check({}, {}, {}, {}, {})", sum, type.precision(), type.scale(),
                       Mode(call), call.error_context);
  }
  if (type.is(TypeId::kDouble)) return call.Apply("sum", CastSql(call.arguments[0], "DOUBLE"));
  std::string checked = fmt::format("mg_sum_to_long({}, {}, {})", CastSql(sum, "HUGEINT"),
                                    Mode(call), call.error_context);
  if (!type.is(TypeId::kYearMonthInterval)) return checked;
  return fmt::format("mg_cast({}, 'BIGINT', 'INT', {}, 'UTC', {})", checked, Mode(call),
                     call.error_context);
}

/// sum and try_sum.
Result<std::string> LowerSum(const LoweredAggregate& call) { return SumSql(call, call.type()); }

/// avg, mean and try_avg.
Result<std::string> LowerAverage(const LoweredAggregate& call) {
  const DataType& type = call.type();
  if (type.is(TypeId::kDecimal)) {
    return fmt::format("mg_decimal_avg({}, {}, {}, {}, {}, {})",
                       call.Apply("sum", call.arguments[0]), call.Apply("count", call.arguments[0]),
                       type.precision(), type.scale(), Mode(call), call.error_context);
  }
  if (type.is_interval()) {
    return fmt::format("mg_interval_divide({}, nullif({}, 0), {}, {})", SumSql(call, type),
                       call.Apply("count", call.arguments[0]), Mode(call), call.error_context);
  }
  return call.Apply("avg", CastSql(call.arguments[0], "DOUBLE"));
}

/// first, last, any_value: over a window frame the engine's window functions, which know the
/// frame's order.
Result<std::string> LowerFirst(const LoweredAggregate& call) {
  const std::string& name = call.aggregate.function;
  const bool last = name == "last" || name == "last_value";
  const bool ignore_nulls = call.aggregate.ignore_nulls;
  if (!call.over.empty() && call.filter.empty()) {
    return fmt::format("{}({}{}) {}", last ? "last_value" : "first_value", call.arguments[0],
                       ignore_nulls ? " IGNORE NULLS" : "", call.over);
  }
  return call.Apply(last ? "last" : "first", call.arguments[0],
                    ignore_nulls ? call.arguments[0] + " IS NOT NULL" : std::string());
}

/// collect_list, array_agg and collect_set leave out NULL and are empty without rows.
Result<std::string> LowerCollect(const LoweredAggregate& call) {
  const bool set = call.aggregate.function == "collect_set" && !call.aggregate.distinct;
  std::string list = call.Apply("list", (set ? "DISTINCT " : "") + call.arguments[0],
                                call.arguments[0] + " IS NOT NULL");
  if (call.aggregate.function == "collect_set") list = fmt::format("mg_set_order({})", list);
  return fmt::format("coalesce({}, CAST([] AS {}))", list, EngineType(call.type()));
}

/// max and min.
Result<std::string> LowerExtremeValue(const LoweredAggregate& call) {
  const std::string& name = call.aggregate.function;
  const std::string& value = call.arguments[0];
  if (!NeedsOrderKey(call.type(0))) return call.Apply(name, value);
  return call.Apply("arg_" + name, value + ", " + OrderKeySql(value, call.type(0)));
}

/// max_by and min_by: rows without a key do not compete, values may be NULL.
Result<std::string> LowerExtremeBy(const LoweredAggregate& call) {
  const bool max = call.aggregate.function == "max_by";
  const std::string pair =
      fmt::format("{}, {}", call.arguments[0], OrderKeySql(call.arguments[1], call.type(1)));
  if (call.arguments.size() == 3)
    return call.Apply(max ? "arg_max" : "arg_min", pair + ", " + call.arguments[2]);
  return call.Apply(max ? "arg_max_null" : "arg_min_null", pair);
}

/// listagg and string_agg.
Result<std::string> LowerListAgg(const LoweredAggregate& call) {
  const std::string order = call.order.empty() ? "" : " ORDER BY " + call.order;
  const bool binary = call.type().is(TypeId::kBinary);
  // Distinct texts without an order of their own are joined in ascending order, so that results
  // repeat.
  const std::string sorted =
      order.empty() && call.aggregate.distinct ? " ORDER BY " + call.arguments[0] : order;
  if (!binary) {
    return call.Apply("string_agg", fmt::format("{}, coalesce({}, ''){}", call.arguments[0],
                                                call.arguments[1], sorted));
  }
  return fmt::format(
      "mg_join_binaries({}, {})",
      call.Apply("list", call.arguments[0] + order, call.arguments[0] + " IS NOT NULL"),
      call.arguments[1]);
}

/// Aggregates computed by one of our functions over the list of all values.
Result<std::string> LowerOverList(const LoweredAggregate& call) {
  std::string rest;
  for (size_t i = 1; i < call.arguments.size(); ++i) rest += ", " + call.arguments[i];
  return fmt::format("mg_{}({}{})", call.aggregate.function,
                     call.Apply("list", call.arguments[0], call.arguments[0] + " IS NOT NULL"),
                     rest);
}

Result<std::string> LowerCorrelation(const LoweredAggregate& call) {
  const std::string arguments = JoinArguments(call);
  return fmt::format("mg_divide({}, {}, {}, {})", call.Apply("mg_co_moment", arguments),
                     call.Apply("mg_co_spread", arguments), Mode(call), call.error_context);
}

/// regr_*(y, x) by one of our functions of (x, y).
Result<std::string> LowerRegression(const LoweredAggregate& call) {
  return call.Apply("mg_" + call.aggregate.function,
                    fmt::format("{}, {}", call.arguments[1], call.arguments[0]));
}

/// What regr_sxx is of x, of y.
Result<std::string> LowerRegressionSyy(const LoweredAggregate& call) {
  return call.Apply("mg_regr_sxx", JoinArguments(call));
}

/// A percentile of `column`, continuous or of the elements themselves.
std::string Quantile(const LoweredAggregate& call, const std::string& function,
                     const std::string& column, const DataType& column_type,
                     const std::string& fractions) {
  if (function == "quantile_disc") {
    return call.Apply(function, fmt::format("{}, {}", column, fractions));
  }
  const std::string value = column_type.is_interval() ? CastSql(column, "BIGINT") : column;
  return call.Apply(function, fmt::format("{}, {}", CastSql(value, "DOUBLE"), fractions));
}

/// percentile(column, fractions, frequency).
Result<std::string> LowerPercentile(const LoweredAggregate& call) {
  const auto frequency = FoldLiteral(*call.aggregate.arguments[2]);
  const bool once = frequency && !frequency->is_null() && std::get<int64_t>(frequency->value) == 1;
  if (once)
    return Quantile(call, "quantile_cont", call.arguments[0], call.type(0), call.arguments[1]);
  return fmt::format(
      "mg_percentile({}, {}, {})",
      call.Apply("list", CastSql(call.arguments[0], "DOUBLE"), call.arguments[0] + " IS NOT NULL"),
      call.Apply("list", CastSql(call.arguments[2], "BIGINT"), call.arguments[0] + " IS NOT NULL"),
      call.arguments[1]);
}

Result<std::string> LowerApproxCountDistinct(const LoweredAggregate& call) {
  return call.Apply(
      "mg_distinct_count",
      fmt::format("mg_xxhash64({}), {}", call.arguments[0], CastSql(call.arguments[1], "INTEGER")),
      call.arguments[0] + " IS NOT NULL");
}

Result<std::string> LowerApproxPercentile(const LoweredAggregate& call) {
  return Quantile(call, "quantile_disc", call.arguments[0], call.type(0), call.arguments[1]);
}

Result<std::string> LowerMedian(const LoweredAggregate& call) {
  return Quantile(call, "quantile_cont", call.arguments[0], call.type(0), "0.5");
}

/// percentile_cont and percentile_disc: (fractions) WITHIN GROUP (ORDER BY column). A descending
/// order counts the fraction from the other end.
Result<std::string> LowerInverseDistribution(const LoweredAggregate& call) {
  const BoundSortOrder& order = call.aggregate.order[0];
  std::string fractions = call.arguments[0];
  if (!order.ascending) {
    fractions = call.type(0).is(TypeId::kArray)
                    ? fmt::format("list_transform({}, lambda fraction: 1 - fraction)", fractions)
                    : fmt::format("(1 - {})", fractions);
  }
  const bool discrete = call.aggregate.function == "percentile_disc";
  return Quantile(call, discrete ? "quantile_disc" : "quantile_cont", call.order_keys[0],
                  order.child->type, fractions);
}

Result<std::string> LowerMode(const LoweredAggregate& call) {
  if (call.aggregate.order.empty())
    return fmt::format("mg_pick_mode({})", call.Apply("histogram", call.arguments[0]));
  // The first of the most frequent: the order is kept reversed for names, so ascending means
  // descending.
  const bool ascending = !call.aggregate.order[0].ascending;
  const std::string& key = call.order_keys[0];
  return call.Apply("mode", fmt::format("{0} ORDER BY {0} {1}", key, ascending ? "ASC" : "DESC"));
}

constexpr AggregateLowering kAggregateLowerings[] = {
    {.name = "any", .function = "bool_or"},
    {.name = "any_value", .lower = &LowerFirst},
    {.name = "approx_count_distinct", .lower = &LowerApproxCountDistinct},
    {.name = "approx_percentile", .lower = &LowerApproxPercentile},
    {.name = "array_agg", .lower = &LowerCollect},
    {.name = "avg", .lower = &LowerAverage},
    {.name = "bit_and", .function = "bit_and"},
    {.name = "bit_or", .function = "bit_or"},
    {.name = "bit_xor", .function = "bit_xor"},
    {.name = "bitmap_and_agg", .function = "mg_bitmap_and_agg"},
    {.name = "bitmap_construct_agg", .function = "mg_bitmap_construct_agg"},
    {.name = "bitmap_or_agg", .function = "mg_bitmap_or_agg"},
    {.name = "bool_and", .function = "bool_and"},
    {.name = "bool_or", .function = "bool_or"},
    {.name = "collect_list", .lower = &LowerCollect},
    {.name = "collect_set", .lower = &LowerCollect},
    {.name = "connect_product", .function = "product"},
    {.name = "corr", .lower = &LowerCorrelation},
    {.name = "count", .lower = &LowerCount},
    {.name = "count_if", .lower = &LowerCountIf},
    {.name = "covar_pop", .function = "mg_covar_pop"},
    {.name = "covar_samp", .function = "mg_covar_samp"},
    {.name = "every", .function = "bool_and"},
    {.name = "first", .lower = &LowerFirst},
    {.name = "first_value", .lower = &LowerFirst},
    {.name = "histogram_numeric", .function = "mg_histogram_numeric"},
    {.name = "kurtosis", .function = "mg_kurtosis"},
    {.name = "last", .lower = &LowerFirst},
    {.name = "last_value", .lower = &LowerFirst},
    {.name = "listagg", .lower = &LowerListAgg},
    {.name = "max", .lower = &LowerExtremeValue},
    {.name = "max_by", .lower = &LowerExtremeBy},
    {.name = "mean", .lower = &LowerAverage},
    {.name = "median", .lower = &LowerMedian},
    {.name = "min", .lower = &LowerExtremeValue},
    {.name = "min_by", .lower = &LowerExtremeBy},
    {.name = "mode", .lower = &LowerMode},
    {.name = "percentile", .lower = &LowerPercentile},
    {.name = "percentile_approx", .lower = &LowerApproxPercentile},
    {.name = "percentile_cont", .lower = &LowerInverseDistribution},
    {.name = "percentile_disc", .lower = &LowerInverseDistribution},
    {.name = "regr_avgx", .function = "regr_avgx"},
    {.name = "regr_avgy", .function = "regr_avgy"},
    {.name = "regr_count", .function = "regr_count"},
    {.name = "regr_intercept", .lower = &LowerRegression},
    {.name = "regr_r2", .function = "mg_regr_r2"},
    {.name = "regr_slope", .lower = &LowerRegression},
    {.name = "regr_sxx", .lower = &LowerRegression},
    {.name = "regr_sxy", .lower = &LowerRegression},
    {.name = "regr_syy", .lower = &LowerRegressionSyy},
    {.name = "schema_of_variant_agg", .lower = &LowerOverList},
    {.name = "skewness", .function = "mg_skewness"},
    {.name = "some", .function = "bool_or"},
    {.name = "std", .function = "mg_stddev_samp"},
    {.name = "stddev", .function = "mg_stddev_samp"},
    {.name = "stddev_pop", .function = "mg_stddev_pop"},
    {.name = "stddev_samp", .function = "mg_stddev_samp"},
    {.name = "string_agg", .lower = &LowerListAgg},
    {.name = "sum", .lower = &LowerSum},
    {.name = "try_avg", .lower = &LowerAverage},
    {.name = "try_sum", .lower = &LowerSum},
    {.name = "var_pop", .function = "mg_var_pop"},
    {.name = "var_samp", .function = "mg_var_samp"},
    {.name = "variance", .function = "mg_var_samp"},
    {.name = "vector_avg", .function = "mg_vector_avg"},
    {.name = "vector_sum", .function = "mg_vector_sum"},
};

const AggregateLowering* FindLowering(std::string_view name) {
  static const auto lowerings = [] {
    std::map<std::string_view, const AggregateLowering*> all;
    for (const AggregateLowering& lowering : kAggregateLowerings)
      all.emplace(lowering.name, &lowering);
    return all;
  }();
  const auto found = lowerings.find(name);
  return found == lowerings.end() ? nullptr : found->second;
}

}  // namespace

std::string LoweredAggregate::Apply(std::string_view function, std::string_view arguments_sql,
                                    std::string_view condition) const {
  std::string sql =
      fmt::format("{}({}{})", function,
                  aggregate.distinct && arguments_sql != "*" ? "DISTINCT " : "", arguments_sql);
  std::string kept = filter;
  if (!condition.empty())
    kept = kept.empty() ? std::string(condition) : fmt::format("{} AND {}", kept, condition);
  if (!kept.empty()) sql += fmt::format(" FILTER (WHERE {})", kept);
  return over.empty() ? sql : sql + " " + over;
}

Result<std::string> LowerAggregateCall(const LoweredAggregate& call) {
  const AggregateLowering* lowering = FindLowering(call.aggregate.function);
  if (lowering == nullptr) {
    return Error(ErrorClass::UNRESOLVED_ROUTINE,
                 {{"routineName", "`" + call.aggregate.function + "`"}, {"searchPath", "[]"}});
  }
  std::string sql;
  if (lowering->lower != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(sql, lowering->lower(call));
  } else {
    sql = call.Apply(lowering->function, JoinArguments(call));
  }
  return sql.starts_with("mg_") ? sql : CastSql(sql, EngineType(call.type()));
}

bool HasAggregateLowering(std::string_view name) { return FindLowering(name) != nullptr; }

}  // namespace merganser
