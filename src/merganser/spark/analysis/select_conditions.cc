#include <algorithm>

#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/select_binder.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/expression_tree.h"

namespace merganser {

namespace {

/// An aggregate function that is not inside a window function, or null.
const BoundExpression* AggregateOutsideWindows(const BoundExpression& expression) {
  if (expression.As<BoundWindow>() != nullptr) return nullptr;
  if (expression.As<BoundAggregate>() != nullptr) return &expression;
  const BoundExpression* found = nullptr;
  ForEachChild(expression, [&](const BoundExpression& child) {
    if (found == nullptr) found = AggregateOutsideWindows(child);
  });
  return found;
}

}  // namespace

Scope SelectBinder::OutputNames() const { return block_.OutputScope(); }

BoundExpressionPtr SelectBinder::Inline(const BoundExpressionPtr& expression) const {
  return Transform(expression, [this](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    const auto* column = node->As<BoundColumnRef>();
    if (column == nullptr) return nullptr;
    for (const Entry& entry : entries_) {
      if (entry.generator || entry.id != column->id) continue;
      const auto* same = entry.bound->As<BoundColumnRef>();
      return same != nullptr && same->id == column->id ? nullptr : Inline(entry.bound);
    }
    return nullptr;
  });
}

Result<BoundExpressionPtr> SelectBinder::BindOverGroups(const plan::ExpressionPtr& condition,
                                                        const char* clause, bool inline_items) {
  const Scope output = OutputNames();
  const auto bind = [&](ExpressionScope scope, bool* ungrouped) -> Result<BoundExpressionPtr> {
    scope.operator_name = clause;
    scope.operator_origin = origin_;
    scope.suggested = &output;
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, binder_.BindExpression(condition, scope));
    if (inline_items && FindWindow(*bound) != nullptr) {
      return Error(ErrorClass::WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE, {{"clauseName", "HAVING"}});
    }
    if (inline_items) bound = Inline(bound);
    if (!block_.aggregation) return bound;
    AggregateLift lift(
        binder_, *input_->relation, *block_.aggregation, [&](const BoundExpression& column) {
          *ungrouped = true;
          const auto& reference = *column.As<BoundColumnRef>();
          return binder_.UnresolvedColumn({reference.name}, output.columns(), column.origin);
        });
    return lift.Lift(bound);
  };
  // A name is a column below the list if that column is grouped, else the name of an item.
  bool ungrouped = false;
  ExpressionScope columns_first{.scopes = {&input_->scope}};
  columns_first.aliases = [&](const std::vector<std::string>& parts, const plan::Origin& origin) {
    return binder_.FindColumn(parts, output, origin);
  };
  auto bound = bind(columns_first, &ungrouped);
  if (bound.ok() || !ungrouped) return bound;
  ExpressionScope items_first{.scopes = {&output, &input_->scope},
                              .aggregate_input = &input_->scope};
  return bind(items_first, &ungrouped);
}

Status SelectBinder::Having(const plan::ExpressionPtr& condition) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindOverGroups(condition, "Having", true));
  if (FindWindow(*bound) != nullptr) {
    return Error(ErrorClass::WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE, {{"clauseName", "HAVING"}});
  }
  MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(*bound, "Having"));
  if (!bound->type.is(TypeId::kBoolean)) {
    MERGANSER_ASSIGN_OR_RETURN(
        bound, ResolveCast(bound, DataType::Boolean(), false, binder_.typing(), condition->origin));
  }
  block_.having = std::move(bound);
  return Status::Ok();
}

Status SelectBinder::AddHiddenColumns(const BoundExpression& expression) {
  std::vector<ColumnId> used;
  CollectColumns(expression, used);
  for (const BoundColumn& column : block_.BaseColumns()) {
    const bool needed = std::find(used.begin(), used.end(), column.id) != used.end();
    if (!needed || block_.HasItem(column.id)) continue;
    block_.hidden.push_back({.name = column.name,
                             .expression = ReferTo(column),
                             .id = column.id,
                             .identity = column.id});
  }
  return Status::Ok();
}

Status SelectBinder::Qualify(const plan::ExpressionPtr& condition) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindOverGroups(condition, "Qualify", false));
  bool has_window = FindWindow(*bound) != nullptr;
  for (const SelectItem& item : block_.items)
    has_window = has_window || FindWindow(*item.expression) != nullptr;
  if (const BoundExpression* aggregate = AggregateOutsideWindows(*bound)) {
    return binder_.At(Error(ErrorClass::QUALIFY_AGGREGATE_NOT_ALLOWED,
                            {{"aggregateExpr", QuotedExpression(*aggregate)}}),
                      aggregate->origin);
  }
  if (!has_window) return Error(ErrorClass::QUALIFY_REQUIRES_WINDOW_FUNCTION);
  MERGANSER_RETURN_IF_ERROR(binder_.CheckCondition(*bound, nullptr, origin_));
  bound = Transform(bound, [this](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    if (node->As<BoundWindow>() == nullptr) return nullptr;
    SelectItem item{.name = "window", .expression = node, .id = binder_.NextId()};
    const BoundColumn column{
        .id = item.id, .name = item.name, .type = node->type, .nullable = node->nullable};
    block_.hidden.push_back(std::move(item));
    return ReferTo(column);
  });
  MERGANSER_RETURN_IF_ERROR(AddHiddenColumns(*bound));
  block_.qualify = std::move(bound);
  return Status::Ok();
}

}  // namespace merganser
