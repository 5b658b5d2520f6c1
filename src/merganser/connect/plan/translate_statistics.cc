#include "merganser/connect/plan/translate_statistics.h"

#include <cmath>
#include <utility>
#include <vector>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"

namespace merganser::connect {
namespace {

// Spark's own, where the client says nothing.
constexpr double kUsualSupport = 0.01;
constexpr double kLeastSupport = 1e-4;

Result<plan::ExpressionPtr> ColumnOf(const std::string& name) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseColumnPath(name));
  return plan::MakeExpression(plan::Attribute{std::move(parts), -1});
}

plan::ExpressionPtr Number(double value) {
  return plan::MakeExpression(plan::Literal{DataType::Double(), value});
}

plan::ExpressionPtr Named(plan::ExpressionPtr value, std::string name) {
  return plan::MakeExpression(plan::Alias{std::move(value), {std::move(name)}});
}

plan::RelationPtr AggregateOf(plan::RelationPtr input, std::vector<plan::ExpressionPtr> keys,
                              std::vector<plan::ExpressionPtr> values) {
  plan::Aggregate aggregate;
  aggregate.child = std::move(input);
  aggregate.group_by = std::move(keys);
  aggregate.expressions = std::move(values);
  return plan::MakeRelation(std::move(aggregate));
}

/// A column's values as text, `null` among them.
plan::ExpressionPtr AsText(const plan::ExpressionPtr& column) {
  return MakeCall("coalesce",
                  {plan::MakeExpression(plan::Cast{column, DataType::String()}), MakeText("null")});
}

}  // namespace

Result<plan::RelationPtr> OfTwoColumns(plan::RelationPtr input, const std::string& first,
                                       const std::string& second, const char* function,
                                       const char* name) {
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr left, ColumnOf(first));
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr right, ColumnOf(second));
  return AggregateOf(std::move(input), {},
                     {Named(MakeCall(function, {std::move(left), std::move(right)}), name)});
}

Result<plan::RelationPtr> Quantiles(plan::RelationPtr input,
                                    const spark::connect::StatApproxQuantile& quantile) {
  std::vector<plan::ExpressionPtr> probabilities;
  for (const double probability : quantile.probabilities())
    probabilities.push_back(Number(probability));
  const plan::ExpressionPtr wanted = MakeCall("array", std::move(probabilities));
  std::vector<plan::ExpressionPtr> columns;
  for (const std::string& name : quantile.cols()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr column, ColumnOf(name));
    columns.push_back(MakeCall(
        "percentile_approx",
        {plan::MakeExpression(plan::Cast{std::move(column), DataType::Double()}), wanted}));
  }
  return AggregateOf(std::move(input), {},
                     {Named(MakeCall("array", std::move(columns)), "approx_quantile")});
}

Result<plan::RelationPtr> CrossTable(plan::RelationPtr input,
                                     const spark::connect::StatCrosstab& crosstab) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr rows, ColumnOf(crosstab.col1()));
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr columns, ColumnOf(crosstab.col2()));
  plan::Pivot pivot;
  pivot.child = std::move(input);
  pivot.group_by = {Named(AsText(rows), crosstab.col1() + "_" + crosstab.col2())};
  pivot.columns = {AsText(columns)};
  pivot.aggregates = {MakeCall("count", {MakeInteger(1)})};
  plan::FillNulls fill;
  fill.child = plan::MakeRelation(std::move(pivot));
  fill.values = {plan::Literal{DataType::Long(), int64_t{0}}};
  return plan::MakeRelation(std::move(fill));
}

Result<plan::RelationPtr> FrequentItems(const plan::RelationPtr& input,
                                        const spark::connect::StatFreqItems& items) {
  const double support = items.has_support() ? items.support() : kUsualSupport;
  if (!(support >= kLeastSupport && support <= 1))
    return InvalidPlan("the support of frequent items lies between 0.0001 and 1");
  const auto most = static_cast<int64_t>(std::floor(1 / support));
  plan::RelationPtr all;
  for (const std::string& name : items.cols()) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr column, ColumnOf(name));
    plan::Sort sort;
    sort.child = AggregateOf(
        input, {column}, {Named(column, "item"), Named(MakeCall("count", {MakeInteger(1)}), "n")});
    sort.order_by = {plan::MakeExpression(plan::SortOrder{MakeColumn("n"), false, {}}),
                     plan::MakeExpression(plan::SortOrder{MakeColumn("item"), true, {}})};
    plan::RelationPtr top = plan::MakeRelation(
        plan::Limit{plan::MakeRelation(std::move(sort)), MakeInteger(most), nullptr});
    // In structs, as lists of values leave nulls out.
    const plan::ExpressionPtr list = MakeCall(
        "collect_list", {MakeCall("named_struct", {MakeText("item"), MakeColumn("item")})});
    plan::RelationPtr one =
        AggregateOf(std::move(top), {},
                    {Named(plan::MakeExpression(plan::ExtractValue{list, MakeText("item")}),
                           name + "_freqItems")});
    if (all == nullptr) {
      all = std::move(one);
      continue;
    }
    plan::Join both;
    both.left = std::move(all);
    both.right = std::move(one);
    both.type = plan::JoinType::kCross;
    all = plan::MakeRelation(std::move(both));
  }
  if (all == nullptr) return InvalidPlan("frequent items of no columns");
  return all;
}

Result<plan::RelationPtr> SampleByValue(plan::RelationPtr input,
                                        const spark::connect::StatSampleBy& sample,
                                        TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr column,
                             TranslateExpression(sample.col(), context));
  std::vector<plan::ExpressionPtr> cases;
  for (const auto& fraction : sample.fractions()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Literal stratum,
                               TranslateScalar(fraction.stratum(), context.parser));
    cases.push_back(MakeCall("=", {column, plan::MakeExpression(std::move(stratum))}, true));
    cases.push_back(Number(fraction.fraction()));
  }
  // Values without a fraction are left out.
  cases.push_back(Number(0.0));
  std::vector<plan::ExpressionPtr> seed;
  if (sample.has_seed()) seed.push_back(MakeLong(sample.seed()));
  plan::ExpressionPtr condition = MakeCall(
      "<", {MakeCall("rand", std::move(seed)), MakeCall("when", std::move(cases), true)}, true);
  return plan::MakeRelation(plan::Filter{std::move(input), std::move(condition)});
}

}  // namespace merganser::connect
