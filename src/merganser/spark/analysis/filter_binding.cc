#include <set>
#include <string>

#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/select_binder.h"
#include "merganser/spark/analysis/time_window.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

Status Binder::CheckCondition(const BoundExpression& condition, const char* clause,
                              const plan::Origin& origin) const {
  if (clause != nullptr) {
    MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(condition, "Filter"));
    if (FindWindow(condition) != nullptr) {
      return Error(ErrorClass::WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE, {{"clauseName", clause}});
    }
    std::string aggregates;
    for (const BoundExpression* aggregate : AggregatesOf(condition)) {
      aggregates += (aggregates.empty() ? "" : ", ") + PrintSql(*aggregate);
    }
    if (!aggregates.empty()) {
      return At(Error(ErrorClass::INVALID_WHERE_CONDITION,
                      {{"condition", QuotedExpression(condition)}, {"expressionList", aggregates}}),
                origin);
    }
  }
  if (!condition.type.is(TypeId::kBoolean)) {
    const std::string text = QuotedExpression(condition);
    return At(Error(ErrorClass::DATATYPE_MISMATCH,
                    {{"sqlExpr", text}, {"filter", text}, {"type", QuotedType(condition.type)}},
                    "FILTER_NOT_BOOLEAN"),
              origin);
  }
  return Status::Ok();
}

std::vector<const Scope*> Binder::ReachableScopes(const Binding& binding) const {
  std::vector<const Scope*> scopes;
  for (const Binding* level = &binding; level != nullptr;) {
    scopes.push_back(&level->scope);
    if (level->select != nullptr) {
      // What is below a GROUP BY is within reach of its ORDER BY only, which sees to that itself.
      if (level->select->aggregation) break;
      level = level->select->input.get();
    } else {
      level = level->below.get();
    }
  }
  return scopes;
}

Status Binder::Reach(Binding& binding, const BoundExpression& expression) const {
  std::vector<ColumnId> used;
  CollectColumns(expression, used);
  std::set<ColumnId> below;
  for (const ColumnId id : used) {
    if (binding.scope.Contains(id)) continue;
    for (const Scope* scope : ReachableScopes(binding)) {
      if (scope->Contains(id)) below.insert(id);
    }
  }
  if (below.empty()) return Status::Ok();
  if (AddMissing(binding, below)) return Status::Ok();
  return Error::Internal("a column that was found below a relation cannot be fetched from there");
}

Result<Binding> Binder::Bind(const plan::Filter& filter, const plan::Relation& relation) {
  // Over the rows of a GROUP BY a condition may use aggregate functions, as DataFrame filters do.
  if (filter.child->As<plan::Aggregate>() != nullptr) {
    return Bind(plan::Having{.child = filter.child, .condition = filter.condition}, relation);
  }
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(filter.child));
  ExpressionScope scope{.scopes = ReachableScopes(child)};
  scope.operator_origin = relation.origin;
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr condition, BindExpression(filter.condition, scope));
  MERGANSER_RETURN_IF_ERROR(CheckCondition(*condition, "WHERE", relation.origin));
  MERGANSER_RETURN_IF_ERROR(Reach(child, *condition));
  Binding binding{
      .relation = nullptr, .scope = child.scope, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation =
      MakeBoundRelation(BoundFilter{child.relation, std::move(condition)}, std::move(columns));
  return binding;
}

Result<Binding> Binder::Bind(const plan::Project& project, const plan::Relation& relation) {
  return BindSelect({.project = &project}, relation.origin);
}

Result<Binding> Binder::Bind(const plan::Aggregate& aggregate, const plan::Relation& relation) {
  return BindSelect({.aggregate = &aggregate}, relation.origin);
}

Result<Binding> Binder::Bind(const plan::Having& having, const plan::Relation& relation) {
  return BindSelect({.having = &having}, relation.origin);
}

Result<Binding> Binder::Bind(const plan::Qualify& qualify, const plan::Relation& relation) {
  return BindSelect({.qualify = &qualify}, relation.origin);
}

Result<Binding> Binder::BindSelect(SelectClauses clauses, const plan::Origin& outermost) {
  plan::Origin origin = outermost;
  // The clauses stand above each other in the plan; WINDOW definitions may stand between them.
  std::vector<const plan::NamedWindows*> windows;
  plan::RelationPtr below;
  if (clauses.qualify != nullptr) below = clauses.qualify->child;
  if (clauses.having != nullptr) below = clauses.having->child;
  while (below != nullptr) {
    plan::RelationPtr next;
    if (const auto* having = below->As<plan::Having>();
        having != nullptr && clauses.having == nullptr) {
      clauses.having = having;
      next = having->child;
    } else if (const auto* named = below->As<plan::NamedWindows>()) {
      windows.push_back(named);
      next = named->child;
    } else if (const auto* aggregate = below->As<plan::Aggregate>()) {
      clauses.aggregate = aggregate;
    } else if (const auto* project = below->As<plan::Project>()) {
      clauses.project = project;
    } else {
      return BindConditionOver(clauses, below, origin);
    }
    if (next == nullptr && below->origin.known() && clauses.having == nullptr)
      origin = below->origin;
    below = next;
  }
  for (const plan::NamedWindows* named : windows) named_windows_.push_back(&named->windows);
  auto bound = [&]() -> Result<Binding> {
    plan::Aggregate aggregate;
    if (clauses.aggregate != nullptr) {
      aggregate = *clauses.aggregate;
    } else {
      aggregate.child = clauses.project->child;
      aggregate.expressions = clauses.project->expressions;
    }
    MERGANSER_RETURN_IF_ERROR(AddTimeWindow(aggregate));
    SelectBinder select(*this, origin);
    MERGANSER_RETURN_IF_ERROR(select.Input(aggregate.child));
    MERGANSER_RETURN_IF_ERROR(select.Items(aggregate.expressions));
    if (clauses.aggregate != nullptr && HasGroupBy(aggregate)) {
      MERGANSER_RETURN_IF_ERROR(select.GroupBy(aggregate));
    } else {
      MERGANSER_RETURN_IF_ERROR(
          select.NoGroupBy(clauses.having != nullptr || clauses.aggregate != nullptr));
    }
    if (clauses.having != nullptr)
      MERGANSER_RETURN_IF_ERROR(select.Having(clauses.having->condition));
    if (clauses.qualify != nullptr)
      MERGANSER_RETURN_IF_ERROR(select.Qualify(clauses.qualify->condition));
    return select.Finish();
  }();
  named_windows_.resize(named_windows_.size() - windows.size());
  return bound;
}

Status Binder::AddTimeWindow(plan::Aggregate& select) {
  const WindowedSelect windowed{select.child, select.expressions, select.group_by};
  const plan::Expression* window = FindTimeWindow(windowed);
  if (window == nullptr) return Status::Ok();
  MERGANSER_ASSIGN_OR_RETURN(const Binding input, BindRelation(select.child));
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr time,
                             BindOver(window->As<plan::Call>()->arguments[0], input.scope));
  auto rewritten = WithTimeWindow(windowed, *window, time->type);
  if (!rewritten.ok()) return At(std::move(rewritten).error(), window->origin);
  select.child = rewritten->child;
  select.expressions = rewritten->expressions;
  select.group_by = rewritten->group_by;
  return Status::Ok();
}

bool Binder::HasGroupBy(const plan::Aggregate& aggregate) {
  return aggregate.group_by_all || !aggregate.group_by.empty() ||
         aggregate.kind != plan::GroupingKind::kGroupBy;
}

Result<Binding> Binder::BindConditionOver(const SelectClauses& clauses,
                                          const plan::RelationPtr& child,
                                          const plan::Origin& origin) {
  // A condition over something that is no SELECT list filters its rows.
  const plan::ExpressionPtr& condition =
      clauses.having != nullptr ? clauses.having->condition : clauses.qualify->condition;
  plan::Relation filter{.node = plan::Filter{.child = child, .condition = condition},
                        .origin = origin};
  return Bind(std::get<plan::Filter>(filter.node), filter);
}

Result<Binding> Binder::Bind(const plan::NamedWindows& windows, const plan::Relation&) {
  named_windows_.push_back(&windows.windows);
  auto bound = BindRelation(windows.child);
  named_windows_.pop_back();
  return bound;
}

}  // namespace merganser
