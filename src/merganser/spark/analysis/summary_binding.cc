#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/select_binder.h"

namespace merganser {

namespace {

plan::ExpressionPtr TextOf(std::string text) {
  return plan::MakeExpression(plan::Literal{DataType::String(), std::move(text)});
}

plan::ExpressionPtr Function(const char* name, std::vector<plan::ExpressionPtr> arguments,
                             bool distinct = false) {
  plan::Call call;
  call.name = {name};
  call.arguments = std::move(arguments);
  call.distinct = distinct;
  return plan::MakeExpression(std::move(call));
}

/// The fraction that `25%` means; nullopt for other statistics.
std::optional<double> Percentile(const std::string& statistic) {
  if (statistic.size() < 2 || statistic.back() != '%') return std::nullopt;
  double percent = 0;
  const char* end = statistic.data() + statistic.size() - 1;
  const auto [stop, code] = std::from_chars(statistic.data(), end, percent);
  if (code != std::errc() || stop != end) return std::nullopt;
  return percent / 100;
}

/// The aggregate that gives `statistic` of a column.
Result<plan::ExpressionPtr> StatisticOf(const std::string& statistic, const std::string& column,
                                        const DataType& type) {
  const plan::ExpressionPtr value = plan::MakeExpression(plan::Attribute{{column}, -1});
  // Text counts as a number where it is one.
  const plan::ExpressionPtr number =
      type.is_string() ? plan::MakeExpression(plan::Cast{value, DataType::Double(), true}) : value;
  const std::string name = AsciiLowerCase(statistic);
  if (name == "count") return Function("count", {value});
  if (name == "count_distinct") return Function("count", {value}, true);
  if (name == "approx_count_distinct") return Function("approx_count_distinct", {value});
  if (name == "mean") return Function("avg", {number});
  if (name == "stddev") return Function("stddev_samp", {number});
  if (name == "min") return Function("min", {value});
  if (name == "max") return Function("max", {value});
  if (const std::optional<double> fraction = Percentile(statistic)) {
    return Function("percentile_approx",
                    {number, plan::MakeExpression(plan::Literal{DataType::Double(), *fraction})});
  }
  return Error(ErrorClass::INVALID_PARAMETER_VALUE,
               {{"parameter", "`" + statistic + "`"}, {"functionName", "`summary`"}});
}

}  // namespace

Result<Binding> Binder::Bind(const plan::Summary& summary, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(summary.child));
  MERGANSER_ASSIGN_OR_RETURN(const auto positions,
                             ColumnsCalled(child.scope, summary.columns, relation.origin));
  std::vector<plan::ExpressionPtr> rows;
  std::vector<std::string> names;
  for (const std::string& statistic : summary.statistics) {
    // Columns may share a name, fields of a struct must not.
    names = {"summary"};
    std::vector<plan::ExpressionPtr> fields = {TextOf("c0"), TextOf(statistic)};
    for (const size_t position : positions) {
      const BoundColumn& column = child.scope.columns()[position].column;
      if (!column.type.is_numeric() && !column.type.is_string()) continue;
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr value,
                                 StatisticOf(statistic, column.name, column.type));
      fields.push_back(TextOf("c" + std::to_string(names.size())));
      names.push_back(column.name);
      fields.push_back(plan::MakeExpression(plan::Cast{std::move(value), DataType::String()}));
    }
    rows.push_back(Function("named_struct", std::move(fields)));
  }
  SelectBinder select(*this, relation.origin);
  select.Input(std::move(child));
  MERGANSER_RETURN_IF_ERROR(
      select.Items({Function("inline", {Function("array", std::move(rows))})}));
  MERGANSER_RETURN_IF_ERROR(select.NoGroupBy(true));
  MERGANSER_ASSIGN_OR_RETURN(Binding binding, select.Finish());
  binding = Finished(std::move(binding));
  for (size_t i = 0; i < names.size(); ++i) binding.scope.columns()[i].column.name = names[i];
  return binding;
}

}  // namespace merganser
