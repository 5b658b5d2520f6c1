#include "merganser/engine/scan/column_bounds.h"

#include <algorithm>
#include <utility>

#include <duckdb/execution/expression_executor.hpp>
#include <duckdb/planner/expression/bound_operator_expression.hpp>
#include <duckdb/planner/filter/conjunction_filter.hpp>
#include <duckdb/planner/filter/constant_filter.hpp>
#include <duckdb/planner/filter/dynamic_filter.hpp>
#include <duckdb/planner/filter/expression_filter.hpp>
#include <duckdb/planner/filter/in_filter.hpp>
#include <duckdb/planner/filter/optional_filter.hpp>
#include <duckdb/planner/filter/struct_filter.hpp>

namespace merganser::engine {
namespace {

using duckdb::ExpressionType;
using duckdb::TableFilter;
using duckdb::TableFilterType;
using duckdb::Value;

bool MayCompare(ExpressionType comparison, const Value& constant, const ColumnBounds& bounds) {
  if (!bounds.may_have_value) return false;
  if (constant.IsNull()) return true;
  const bool has_min = !bounds.min.IsNull() && bounds.min.type() == constant.type();
  const bool has_max = !bounds.max.IsNull() && bounds.max.type() == constant.type();
  switch (comparison) {
    case ExpressionType::COMPARE_EQUAL:
      return (!has_min || bounds.min <= constant) && (!has_max || bounds.max >= constant);
    case ExpressionType::COMPARE_NOTEQUAL:
      return !has_min || !has_max || bounds.min != constant || bounds.max != constant;
    case ExpressionType::COMPARE_LESSTHAN:
      return !has_min || bounds.min < constant;
    case ExpressionType::COMPARE_LESSTHANOREQUALTO:
      return !has_min || bounds.min <= constant;
    case ExpressionType::COMPARE_GREATERTHAN:
      return !has_max || bounds.max > constant;
    case ExpressionType::COMPARE_GREATERTHANOREQUALTO:
      return !has_max || bounds.max >= constant;
    default:
      return true;
  }
}

bool MayMatchExpression(duckdb::ClientContext& context, const duckdb::ExpressionFilter& filter,
                        const ColumnBounds& bounds) {
  const duckdb::Expression& expression = *filter.expr;
  const bool null_test = expression.GetExpressionType() == ExpressionType::OPERATOR_IS_NULL ||
                         expression.GetExpressionType() == ExpressionType::OPERATOR_IS_NOT_NULL;
  if (null_test) {
    const auto& child = *expression.Cast<duckdb::BoundOperatorExpression>().children[0];
    if (child.GetExpressionType() == ExpressionType::BOUND_REF) {
      return expression.GetExpressionType() == ExpressionType::OPERATOR_IS_NULL
                 ? bounds.may_be_null
                 : bounds.may_have_value;
    }
  }
  if (!bounds.constant) return true;
  try {
    duckdb::ExpressionExecutor executor(context, expression);
    return filter.EvaluateWithConstant(executor, *bounds.constant);
  } catch (const std::exception&) {
    // Whether the error counts is for the rows to say: there may be none.
    return true;
  }
}

bool MayMatchAt(duckdb::ClientContext& context, const TableFilter& filter,
                const BoundsOfField& bounds, std::vector<duckdb::idx_t>& path) {
  const auto child_may_match = [&](const auto& child) {
    return MayMatchAt(context, *child, bounds, path);
  };
  switch (filter.filter_type) {
    case TableFilterType::CONSTANT_COMPARISON: {
      const auto& comparison = filter.Cast<duckdb::ConstantFilter>();
      return MayCompare(comparison.comparison_type, comparison.constant, bounds(path));
    }
    case TableFilterType::IN_FILTER: {
      const auto& values = filter.Cast<duckdb::InFilter>().values;
      const ColumnBounds of_column = bounds(path);
      return std::any_of(values.begin(), values.end(), [&](const Value& value) {
        return MayCompare(ExpressionType::COMPARE_EQUAL, value, of_column);
      });
    }
    case TableFilterType::IS_NULL:
      return bounds(path).may_be_null;
    case TableFilterType::IS_NOT_NULL:
      return bounds(path).may_have_value;
    case TableFilterType::CONJUNCTION_AND: {
      const auto& children = filter.Cast<duckdb::ConjunctionAndFilter>().child_filters;
      return std::all_of(children.begin(), children.end(), child_may_match);
    }
    case TableFilterType::CONJUNCTION_OR: {
      const auto& children = filter.Cast<duckdb::ConjunctionOrFilter>().child_filters;
      return std::any_of(children.begin(), children.end(), child_may_match);
    }
    case TableFilterType::OPTIONAL_FILTER: {
      const auto& child = filter.Cast<duckdb::OptionalFilter>().child_filter;
      return !child || MayMatchAt(context, *child, bounds, path);
    }
    case TableFilterType::DYNAMIC_FILTER: {
      const auto& data = filter.Cast<duckdb::DynamicFilter>().filter_data;
      if (!data || !data->initialized) return true;
      const std::lock_guard lock(data->lock);
      return !data->filter || MayMatchAt(context, *data->filter, bounds, path);
    }
    case TableFilterType::STRUCT_EXTRACT: {
      const auto& field = filter.Cast<duckdb::StructFilter>();
      path.push_back(field.child_idx);
      const bool may_match = MayMatchAt(context, *field.child_filter, bounds, path);
      path.pop_back();
      return may_match;
    }
    case TableFilterType::EXPRESSION_FILTER:
      return MayMatchExpression(context, filter.Cast<duckdb::ExpressionFilter>(), bounds(path));
    default:
      return true;
  }
}

}  // namespace

ColumnBounds ColumnBounds::Constant(Value value) {
  ColumnBounds bounds;
  bounds.may_be_null = value.IsNull();
  bounds.may_have_value = !value.IsNull();
  bounds.constant = value;
  bounds.min = value;
  bounds.max = std::move(value);
  return bounds;
}

bool MayMatch(duckdb::ClientContext& context, const TableFilter& filter,
              const BoundsOfField& bounds) {
  std::vector<duckdb::idx_t> path;
  return MayMatchAt(context, filter, bounds, path);
}

}  // namespace merganser::engine
