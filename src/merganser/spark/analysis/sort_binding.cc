#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "merganser/spark/analysis/aggregate_lift.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

std::vector<const ScopeColumn*> VisibleColumns(const Scope& scope) {
  std::vector<const ScopeColumn*> columns;
  for (const ScopeColumn& column : scope.columns()) {
    if (!column.hidden) columns.push_back(&column);
  }
  return columns;
}

}  // namespace

Result<BoundExpressionPtr> Binder::SortOrdinal(const Scope& scope, int64_t position,
                                               const plan::Origin& origin) const {
  const std::vector<const ScopeColumn*> columns = VisibleColumns(scope);
  const auto size = static_cast<int64_t>(columns.size());
  if (position < 1 || position > size) {
    return At(Error(ErrorClass::ORDER_BY_POS_OUT_OF_RANGE,
                    {{"index", std::to_string(position)}, {"size", std::to_string(size)}}),
              origin);
  }
  const ScopeColumn& column = *columns[static_cast<size_t>(position - 1)];
  return ReferTo(column.column, column.qualifier);
}

Status Binder::CheckSortKey(const BoundSortOrder& order, const plan::Origin& origin) const {
  std::string invalid;
  if (const BoundExpression* window = FindWindow(*order.child)) invalid = QuotedExpression(*window);
  for (const BoundExpression* aggregate : AggregatesOf(*order.child)) {
    invalid += (invalid.empty() ? "" : ", ") + QuotedExpression(*aggregate);
  }
  if (!invalid.empty()) {
    return At(Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR, {{"invalidExprSqls", invalid}}),
              origin);
  }
  MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(*order.child, "Sort"));
  std::vector<ColumnId> used;
  CollectColumns(*order.child, used);
  for (const ColumnId id : used) {
    if (IsOuter(id)) return CorrelatedReference(*order.child);
  }
  const Status orderable = CheckOrderable(order);
  return orderable.ok() ? orderable : Status(At(orderable.error(), origin));
}

Result<Binding> Binder::Bind(const plan::Sort& sort, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(sort.child));
  const Scope output = child.scope;
  ExpressionScope scope{
      .scopes = ReachableScopes(child), .suggested = &output, .ambiguous_is_unknown = true};
  scope.operator_name = "Sort";
  scope.operator_origin = relation.origin;

  // Over a GROUP BY the keys may be grouping expressions and aggregates that the list leaves out.
  std::shared_ptr<SelectBlock> block;
  std::optional<AggregateLift> lift;
  if (child.select != nullptr && child.select->aggregation) {
    block = std::make_shared<SelectBlock>(*child.select);
    scope.aggregate_input = &block->input->scope;
    scope.scopes.push_back(&block->input->scope);
    lift.emplace(*this, *block->input->relation, *block->aggregation,
                 [&](const BoundExpression& column) {
                   return UnresolvedColumn({column.As<BoundColumnRef>()->name}, output.columns(),
                                           column.origin);
                 });
  }

  std::vector<BoundSortOrder> orders;
  const auto add = [&](BoundExpressionPtr key, const plan::SortOrder* order) -> Status {
    BoundSortOrder item{.child = std::move(key), .ascending = order == nullptr || order->ascending};
    item.nulls_first =
        order != nullptr && order->nulls_first ? *order->nulls_first : item.ascending;
    if (lift) {
      MERGANSER_ASSIGN_OR_RETURN(item.child, lift->Lift(item.child));
    }
    MERGANSER_RETURN_IF_ERROR(CheckSortKey(item, relation.origin));
    orders.push_back(std::move(item));
    return Status::Ok();
  };
  for (const plan::ExpressionPtr& expression : sort.order_by) {
    const auto* order = expression->As<plan::SortOrder>();
    const plan::ExpressionPtr& key = order == nullptr ? expression : order->child;
    if (sort.order_by_all) {
      for (const ScopeColumn* column : VisibleColumns(output)) {
        MERGANSER_RETURN_IF_ERROR(add(ReferTo(column->column, column->qualifier), order));
      }
      continue;
    }
    const auto* literal = key->As<plan::Literal>();
    const auto* position = literal == nullptr || !literal->type.is(TypeId::kInteger)
                               ? nullptr
                               : std::get_if<int64_t>(&literal->value);
    BoundExpressionPtr bound;
    if (position != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(bound, SortOrdinal(output, *position, key->origin));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(bound, BindExpression(key, scope));
    }
    MERGANSER_RETURN_IF_ERROR(add(std::move(bound), order));
  }

  std::set<ColumnId> missing;
  std::set<ColumnId> within_reach;
  for (const Scope* reachable : scope.scopes) {
    for (const ScopeColumn& column : reachable->columns()) within_reach.insert(column.column.id);
  }
  if (block != nullptr) {
    for (const BoundColumn& column : block->BaseColumns()) within_reach.insert(column.id);
    child.select = block;
  }
  for (const BoundSortOrder& order : orders) {
    std::vector<ColumnId> used;
    CollectColumns(*order.child, used);
    for (const ColumnId id : used) {
      if (within_reach.contains(id) && !output.Contains(id)) missing.insert(id);
    }
  }
  if (!missing.empty() && !AddMissing(child, missing)) {
    return Error::Internal(
        "a sort key that was found below a relation cannot be fetched from there");
  }
  Binding binding{.relation = nullptr, .scope = output, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation =
      MakeBoundRelation(BoundSort{child.relation, std::move(orders)}, std::move(columns));
  return binding;
}

}  // namespace merganser
