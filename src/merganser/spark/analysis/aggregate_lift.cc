#include "merganser/spark/analysis/aggregate_lift.h"

#include <algorithm>

#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

std::string ColumnList(const std::vector<BoundExpressionPtr>& expressions) {
  std::string text;
  for (const BoundExpressionPtr& expression : expressions) {
    text += (text.empty() ? "" : ",") + GeneratedName(*expression);
  }
  return text;
}

BoundExpressionPtr ReferToValue(ColumnId id, const BoundExpression& value, bool nullable) {
  BoundColumnRef reference{id, GeneratedName(value), {}};
  if (const auto* column = value.As<BoundColumnRef>())
    reference = {id, column->name, column->qualifier};
  return MakeBound(std::move(reference), value.type, nullable, value.origin);
}

}  // namespace

Result<BoundExpressionPtr> AggregateLift::Lift(const BoundExpressionPtr& expression) {
  error_.reset();
  BoundExpressionPtr lifted = Visit(expression);
  if (error_) return *std::move(error_);
  return lifted;
}

BoundExpressionPtr AggregateLift::Visit(const BoundExpressionPtr& expression) {
  if (expression == nullptr) return nullptr;
  return Transform(expression, [this](const BoundExpressionPtr& node) { return Replace(node); });
}

BoundExpressionPtr AggregateLift::Fail(const BoundExpressionPtr& node, Error error) {
  if (!error_) error_ = std::move(error);
  return node;
}

bool AggregateLift::IsInput(ColumnId id) const {
  return std::any_of(input_.columns.begin(), input_.columns.end(),
                     [id](const BoundColumn& column) { return column.id == id; });
}

bool AggregateLift::IsGrouped(ColumnId id) const {
  return std::find(aggregation_.ids.begin(), aggregation_.ids.end(), id) != aggregation_.ids.end();
}

BoundExpressionPtr AggregateLift::Compute(BoundExpressionPtr expression) {
  for (const BoundOutput& known : aggregation_.computed) {
    if (SameExpression(*known.expression, *expression)) {
      return ReferToValue(known.id, *expression, expression->nullable);
    }
  }
  const ColumnId id = binder_.NextId();
  BoundExpressionPtr reference = ReferToValue(id, *expression, expression->nullable);
  aggregation_.computed.push_back({std::move(expression), id});
  return reference;
}

BoundExpressionPtr AggregateLift::Replace(const BoundExpressionPtr& node) {
  if (error_) return node;
  for (size_t i = 0; i < aggregation_.group_by.size(); ++i) {
    const BoundExpression& key = *aggregation_.group_by[i];
    if (!Equivalent(key, *node)) continue;
    return ReferToValue(aggregation_.ids[i], *node, node->nullable || !aggregation_.sets.empty());
  }
  if (node->As<BoundAggregate>() != nullptr) return ReplaceAggregate(node);
  if (const auto* window = node->As<BoundWindow>()) return ReplaceWindow(*node, *window);
  if (const auto* subquery = node->As<BoundSubquery>()) return ReplaceSubquery(node, *subquery);
  if (const auto* call = node->As<BoundCall>(); call != nullptr) {
    if (call->function == "grouping" || call->function == "grouping_id")
      return ReplaceGrouping(node, *call);
  }
  if (const auto* column = node->As<BoundColumnRef>(); column != nullptr) {
    if (IsInput(column->id)) return Fail(node, ungrouped_(*node));
    if (refuse_outer_ && binder_.IsOuter(column->id))
      return Fail(node, binder_.CorrelatedReference(*node));
  }
  return nullptr;
}

BoundExpressionPtr AggregateLift::ReplaceAggregate(const BoundExpressionPtr& node) {
  std::vector<ColumnId> used;
  CollectColumns(*node, used);
  const auto local =
      std::count_if(used.begin(), used.end(), [this](ColumnId id) { return IsInput(id); });
  if (local == static_cast<std::ptrdiff_t>(used.size())) return Compute(node);
  // An aggregate function is either one of this query or, over columns of the enclosing one, one of
  // that.
  if (local > 0) {
    return Fail(node, binder_.At(Error(ErrorClass::UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY,
                                       {{"function", PrintSql(*node)}},
                                       "AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES"),
                                 node->origin));
  }
  return Fail(node, binder_.CorrelatedReference(*node));
}

BoundExpressionPtr AggregateLift::ReplaceWindow(const BoundExpression& node,
                                                const BoundWindow& window) {
  BoundWindow lifted = window;
  // The function of the window itself is computed after the groups are made, its arguments are
  // values of a group.
  if (const auto* function = window.function->As<BoundAggregate>()) {
    BoundAggregate aggregate = *function;
    for (BoundExpressionPtr& argument : aggregate.arguments) argument = Visit(argument);
    aggregate.filter = Visit(aggregate.filter);
    for (BoundSortOrder& order : aggregate.order) order.child = Visit(order.child);
    lifted.function = MakeBound(std::move(aggregate), window.function->type,
                                window.function->nullable, window.function->origin);
  } else {
    lifted.function = Visit(window.function);
  }
  for (BoundExpressionPtr& key : lifted.partition_by) key = Visit(key);
  for (BoundSortOrder& order : lifted.order_by) order.child = Visit(order.child);
  return MakeBound(std::move(lifted), node.type, node.nullable, node.origin);
}

BoundExpressionPtr AggregateLift::ReplaceGrouping(const BoundExpressionPtr& node,
                                                  const BoundCall& call) {
  if (aggregation_.sets.empty()) {
    return Fail(node, binder_.At(Error(ErrorClass::UNSUPPORTED_GROUPING_EXPRESSION), node->origin));
  }
  const std::vector<BoundExpressionPtr>& keys = aggregation_.group_by;
  const auto same = [](const BoundExpressionPtr& left, const BoundExpressionPtr& right) {
    return Equivalent(*left, *right);
  };
  BoundCall canonical{.function = call.function, .arguments = {}};
  if (call.function == "grouping") {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const auto& k) { return same(k, call.arguments[0]); });
    if (key == keys.end()) {
      return Fail(node, Error(ErrorClass::GROUPING_COLUMN_MISMATCH,
                              {{"grouping", ColumnList(call.arguments)},
                               {"groupingColumns", ColumnList(keys)}}));
    }
    canonical.arguments = {*key};
  } else {
    if (!call.arguments.empty() &&
        !std::equal(call.arguments.begin(), call.arguments.end(), keys.begin(), keys.end(), same)) {
      return Fail(node, Error(ErrorClass::GROUPING_ID_COLUMN_MISMATCH,
                              {{"groupingIdColumn", ColumnList(call.arguments)},
                               {"groupByColumns", ColumnList(keys)}}));
    }
    canonical.arguments = keys;
  }
  return Compute(MakeBound(std::move(canonical), node->type, false, node->origin));
}

BoundExpressionPtr AggregateLift::ReplaceSubquery(const BoundExpressionPtr& node,
                                                  const BoundSubquery& subquery) {
  for (const BoundColumnRef& column : subquery.outer) {
    if (!IsInput(column.id)) continue;
    if (subquery.kind == plan::SubqueryKind::kScalar && refuse_correlated_scalars_) {
      return Fail(node,
                  binder_.At(Error(ErrorClass::SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION,
                                   {{"sqlExpr", QuotedExpression(*node)}}),
                             node->origin));
    }
    if (IsGrouped(column.id)) continue;
    const auto type = std::find_if(input_.columns.begin(), input_.columns.end(),
                                   [&](const BoundColumn& other) { return other.id == column.id; });
    return Fail(node, ungrouped_(*MakeBound(column, type->type, type->nullable)));
  }
  return nullptr;
}

}  // namespace merganser
