#include "merganser/spark/analysis/relation_walk.h"

#include <type_traits>
#include <utility>
#include <variant>

#include "merganser/spark/functions/expression_tree.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

namespace {

/// Call `visit` with each input and `each` with each expression of a node; both may replace what
/// they get.
template <typename Node, typename Visit, typename Each>
void WalkNode(Node& node, const Visit& visit, const Each& each) {
  using T = std::remove_const_t<Node>;
  const auto each_order = [&](auto& orders) {
    for (auto& order : orders) each(order.child);
  };
  if constexpr (std::is_same_v<T, BoundValues>) {
    for (auto& row : node.rows) {
      for (auto& value : row) each(value);
    }
  } else if constexpr (std::is_same_v<T, BoundFileScan>) {
    if (node.records != nullptr) visit(node.records);
  } else if constexpr (std::is_same_v<T, BoundProject>) {
    visit(node.child);
    for (auto& output : node.outputs) each(output.expression);
  } else if constexpr (std::is_same_v<T, BoundFilter>) {
    visit(node.child);
    each(node.condition);
  } else if constexpr (std::is_same_v<T, BoundAggregation>) {
    visit(node.child);
    for (auto& key : node.group_by) each(key);
    for (auto& output : node.outputs) each(output.expression);
  } else if constexpr (std::is_same_v<T, BoundSort>) {
    visit(node.child);
    each_order(node.order_by);
  } else if constexpr (std::is_same_v<T, BoundLimit> || std::is_same_v<T, BoundTail> ||
                       std::is_same_v<T, BoundDistinct> || std::is_same_v<T, BoundSample> ||
                       std::is_same_v<T, BoundRepartition>) {
    visit(node.child);
  } else if constexpr (std::is_same_v<T, BoundJoin>) {
    visit(node.left);
    visit(node.right);
    if (node.condition != nullptr) each(node.condition);
  } else if constexpr (std::is_same_v<T, BoundSetOperation>) {
    visit(node.left);
    visit(node.right);
  } else if constexpr (std::is_same_v<T, BoundGenerate>) {
    visit(node.child);
    for (auto& argument : node.arguments) each(argument);
  } else if constexpr (std::is_same_v<T, BoundWith>) {
    visit(node.definition);
    if (node.step != nullptr) visit(node.step);
    visit(node.child);
  }
}

}  // namespace

void ForEachInput(const BoundRelation& relation,
                  const std::function<void(const BoundRelation&)>& visit) {
  std::visit(
      [&](const auto& node) {
        WalkNode(node, [&](const auto& input) { visit(*input); }, [](const auto&) {});
      },
      relation.node);
}

void ForEachExpression(const BoundRelation& relation,
                       const std::function<void(const BoundExpression&)>& visit) {
  std::visit(
      [&](const auto& node) {
        WalkNode(node, [](const auto&) {}, [&](const auto& expression) { visit(*expression); });
      },
      relation.node);
}

bool AnyRelation(const BoundRelation& relation,
                 const std::function<bool(const BoundRelation&)>& test) {
  if (test(relation)) return true;
  bool found = false;
  ForEachInput(relation,
               [&](const BoundRelation& input) { found = found || AnyRelation(input, test); });
  ForEachExpression(relation, [&](const BoundExpression& expression) {
    found = found || AnyNode(expression, [&](const BoundExpression& node) {
              const auto* subquery = node.As<BoundSubquery>();
              return subquery != nullptr && AnyRelation(*subquery->query, test);
            });
  });
  return found;
}

bool IsDeterministicRelation(const BoundRelation& relation) {
  return !AnyRelation(relation, [](const BoundRelation& node) {
    bool random = node.As<BoundSample>() != nullptr;
    ForEachExpression(node, [&](const BoundExpression& expression) {
      random = random || !IsDeterministic(expression);
    });
    return random;
  });
}

}  // namespace merganser
