#include "merganser/spark/functions/expression_tree.h"

#include <algorithm>
#include <utility>

#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

using Visitor = std::function<void(const BoundExpression&)>;
using Replacer = std::function<BoundExpressionPtr(const BoundExpressionPtr&)>;

void VisitAll(const std::vector<BoundExpressionPtr>& expressions, const Visitor& visit) {
  for (const auto& expression : expressions) {
    if (expression) visit(*expression);
  }
}

void VisitOrders(const std::vector<BoundSortOrder>& orders, const Visitor& visit) {
  for (const auto& order : orders) visit(*order.child);
}

void VisitNode(const plan::Literal&, const Visitor&) {}
void VisitNode(const BoundColumnRef&, const Visitor&) {}
void VisitNode(const BoundCall& call, const Visitor& visit) { VisitAll(call.arguments, visit); }
void VisitNode(const BoundCast& cast, const Visitor& visit) { visit(*cast.child); }
void VisitNode(const BoundLambda& lambda, const Visitor& visit) { visit(*lambda.body); }
void VisitNode(const BoundSubquery& subquery, const Visitor& visit) {
  VisitAll(subquery.values, visit);
}
void VisitNode(const BoundField& field, const Visitor& visit) { visit(*field.child); }

void VisitNode(const BoundAggregate& aggregate, const Visitor& visit) {
  VisitAll(aggregate.arguments, visit);
  if (aggregate.filter) visit(*aggregate.filter);
  VisitOrders(aggregate.order, visit);
}

void VisitNode(const BoundWindow& window, const Visitor& visit) {
  visit(*window.function);
  VisitAll(window.partition_by, visit);
  VisitOrders(window.order_by, visit);
  if (window.lower.offset) visit(*window.lower.offset);
  if (window.upper.offset) visit(*window.upper.offset);
}

/// Rebuilds nodes whose children change; `changed()` says whether any did.
class Rebuilder {
 public:
  explicit Rebuilder(const Replacer& replace) : replace_(replace) {}

  BoundExpressionPtr Rebuild(const BoundExpressionPtr& expression) {
    if (!expression) return expression;
    if (auto replaced = replace_(expression)) return replaced;
    bool changed = false;
    auto node = std::visit(
        [&](auto copy) {
          changed = RebuildNode(copy);
          return decltype(expression->node)(std::move(copy));
        },
        expression->node);
    if (!changed) return expression;
    return std::make_shared<const BoundExpression>(BoundExpression{
        std::move(node), expression->type, expression->nullable, expression->origin});
  }

 private:
  bool RebuildChild(BoundExpressionPtr& child) {
    auto rebuilt = Rebuild(child);
    const bool changed = rebuilt != child;
    child = std::move(rebuilt);
    return changed;
  }

  bool RebuildAll(std::vector<BoundExpressionPtr>& children) {
    bool changed = false;
    for (auto& child : children) changed |= RebuildChild(child);
    return changed;
  }

  bool RebuildOrders(std::vector<BoundSortOrder>& orders) {
    bool changed = false;
    for (auto& order : orders) changed |= RebuildChild(order.child);
    return changed;
  }

  bool RebuildNode(plan::Literal&) { return false; }
  bool RebuildNode(BoundColumnRef&) { return false; }
  bool RebuildNode(BoundCall& call) {
    const bool changed = RebuildAll(call.arguments);
    return RebuildChild(call.replacement) || changed;
  }
  bool RebuildNode(BoundCast& cast) { return RebuildChild(cast.child); }
  bool RebuildNode(BoundLambda& lambda) { return RebuildChild(lambda.body); }
  bool RebuildNode(BoundSubquery& subquery) { return RebuildAll(subquery.values); }
  bool RebuildNode(BoundField& field) { return RebuildChild(field.child); }

  bool RebuildNode(BoundAggregate& aggregate) {
    bool changed = RebuildAll(aggregate.arguments);
    changed |= RebuildChild(aggregate.filter);
    return RebuildOrders(aggregate.order) || changed;
  }

  bool RebuildNode(BoundWindow& window) {
    bool changed = RebuildChild(window.function);
    changed |= RebuildAll(window.partition_by);
    changed |= RebuildOrders(window.order_by);
    changed |= RebuildChild(window.lower.offset);
    return RebuildChild(window.upper.offset) || changed;
  }

  const Replacer& replace_;
};

bool SamePointers(const BoundExpressionPtr& left, const BoundExpressionPtr& right) {
  if (!left || !right) return left == right;
  return left == right || SameExpression(*left, *right);
}

bool SameAll(const std::vector<BoundExpressionPtr>& left,
             const std::vector<BoundExpressionPtr>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), &SamePointers);
}

bool SameOrders(const std::vector<BoundSortOrder>& left, const std::vector<BoundSortOrder>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const auto& a, const auto& b) {
                      return a.ascending == b.ascending && a.nulls_first == b.nulls_first &&
                             SamePointers(a.child, b.child);
                    });
}

bool SameNode(const plan::Literal& left, const plan::Literal& right) { return left == right; }
bool SameNode(const BoundColumnRef& left, const BoundColumnRef& right) {
  return left.id == right.id;
}
bool SameNode(const BoundCall& left, const BoundCall& right) {
  return left.function == right.function && SameAll(left.arguments, right.arguments);
}
bool SameNode(const BoundCast& left, const BoundCast& right) {
  return left.mode == right.mode && left.assigned_column == right.assigned_column &&
         SamePointers(left.child, right.child);
}
bool SameNode(const BoundLambda& left, const BoundLambda& right) {
  if (left.parameters.size() != right.parameters.size()) return false;
  for (size_t i = 0; i < left.parameters.size(); ++i) {
    if (left.parameters[i].id != right.parameters[i].id) return false;
  }
  return SamePointers(left.body, right.body);
}
bool SameNode(const BoundSubquery& left, const BoundSubquery& right) {
  return left.kind == right.kind && left.query == right.query && SameAll(left.values, right.values);
}
bool SameNode(const BoundField& left, const BoundField& right) {
  return left.index == right.index && SamePointers(left.child, right.child);
}
bool SameNode(const BoundAggregate& left, const BoundAggregate& right) {
  return left.function == right.function && left.distinct == right.distinct &&
         left.ignore_nulls == right.ignore_nulls && SameAll(left.arguments, right.arguments) &&
         SamePointers(left.filter, right.filter) && SameOrders(left.order, right.order);
}
bool SameBound(const BoundFrameBound& left, const BoundFrameBound& right) {
  return left.kind == right.kind && SamePointers(left.offset, right.offset);
}
bool SameNode(const BoundWindow& left, const BoundWindow& right) {
  return left.unit == right.unit && SamePointers(left.function, right.function) &&
         SameAll(left.partition_by, right.partition_by) &&
         SameOrders(left.order_by, right.order_by) && SameBound(left.lower, right.lower) &&
         SameBound(left.upper, right.upper);
}

}  // namespace

void ForEachChild(const BoundExpression& expression, const Visitor& visit) {
  std::visit([&](const auto& node) { VisitNode(node, visit); }, expression.node);
}

bool AnyNode(const BoundExpression& expression,
             const std::function<bool(const BoundExpression&)>& test) {
  if (test(expression)) return true;
  bool found = false;
  ForEachChild(expression,
               [&](const BoundExpression& child) { found = found || AnyNode(child, test); });
  return found;
}

bool SameExpression(const BoundExpression& left, const BoundExpression& right) {
  if (left.node.index() != right.node.index() || !(left.type == right.type)) return false;
  return std::visit(
      [&](const auto& node) {
        return SameNode(node, std::get<std::remove_cvref_t<decltype(node)>>(right.node));
      },
      left.node);
}

bool ContainsAggregate(const BoundExpression& expression) {
  // The function of a window is no aggregate of the query, but one among its arguments is.
  if (const auto* window = expression.As<BoundWindow>()) {
    bool found = false;
    const auto visit = [&](const BoundExpression& child) {
      found = found || ContainsAggregate(child);
    };
    ForEachChild(*window->function, visit);
    VisitAll(window->partition_by, visit);
    VisitOrders(window->order_by, visit);
    return found;
  }
  if (expression.As<BoundAggregate>() != nullptr) return true;
  bool found = false;
  ForEachChild(expression,
               [&](const BoundExpression& child) { found = found || ContainsAggregate(child); });
  return found;
}

bool ContainsWindow(const BoundExpression& expression) {
  return AnyNode(expression,
                 [](const BoundExpression& node) { return node.As<BoundWindow>() != nullptr; });
}

bool ContainsSubquery(const BoundExpression& expression) {
  return AnyNode(expression,
                 [](const BoundExpression& node) { return node.As<BoundSubquery>() != nullptr; });
}

bool IsDeterministic(const BoundExpression& expression) {
  return !AnyNode(expression, [](const BoundExpression& node) {
    const auto* call = node.As<BoundCall>();
    const FunctionEntry* entry = call == nullptr ? nullptr : FindEntry(call->function);
    return entry != nullptr && !entry->deterministic;
  });
}

void CollectColumns(const BoundExpression& expression, std::vector<ColumnId>& ids) {
  const auto add = [&](ColumnId id) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  };
  if (const auto* column = expression.As<BoundColumnRef>()) add(column->id);
  if (const auto* subquery = expression.As<BoundSubquery>()) {
    for (const BoundColumnRef& column : subquery->outer) add(column.id);
  }
  if (const auto* lambda = expression.As<BoundLambda>()) {
    std::vector<ColumnId> inner;
    CollectColumns(*lambda->body, inner);
    for (const auto& parameter : lambda->parameters) std::erase(inner, parameter.id);
    std::for_each(inner.begin(), inner.end(), add);
    return;
  }
  ForEachChild(expression, [&](const BoundExpression& child) { CollectColumns(child, ids); });
}

BoundExpressionPtr Transform(const BoundExpressionPtr& expression, const Replacer& replace) {
  return Rebuilder(replace).Rebuild(expression);
}

}  // namespace merganser
