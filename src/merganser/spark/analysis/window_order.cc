#include "merganser/spark/analysis/window_order.h"

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/analysis/select_block.h"
#include "merganser/spark/functions/expression_tree.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// Partition and order of the windows that a selection computes.
struct WindowKeys {
  bool has_windows = false;
  std::vector<BoundSortOrder> order;  ///< Empty without PARTITION BY, or if windows differ.
};

std::vector<BoundSortOrder> OrderOf(const BoundWindow& window) {
  if (window.partition_by.empty()) return {};
  std::vector<BoundSortOrder> order;
  for (const BoundExpressionPtr& key : window.partition_by) order.push_back({key, true, true});
  order.insert(order.end(), window.order_by.begin(), window.order_by.end());
  return order;
}

std::string TextOf(const std::vector<BoundSortOrder>& order) {
  std::string text;
  for (const BoundSortOrder& key : order) {
    text += GeneratedName(*key.child) + (key.ascending ? " ASC" : " DESC") +
            (key.nulls_first ? " FIRST, " : " LAST, ");
  }
  return text;
}

WindowKeys KeysOf(const BoundProject& project) {
  WindowKeys keys;
  bool differ = false;
  for (const BoundOutput& output : project.outputs) {
    AnyNode(*output.expression, [&](const BoundExpression& node) {
      const auto* window = node.As<BoundWindow>();
      if (window == nullptr) return false;
      std::vector<BoundSortOrder> order = OrderOf(*window);
      if (keys.has_windows && TextOf(order) != TextOf(keys.order)) differ = true;
      keys.has_windows = true;
      keys.order = std::move(order);
      return false;
    });
  }
  if (differ) keys.order.clear();
  return keys;
}

BoundRelationPtr Sorted(const BoundRelation& relation, const std::vector<BoundSortOrder>& order,
                        const std::function<ColumnId()>& next_id) {
  BoundProject computed = *relation.As<BoundProject>();
  std::vector<BoundColumn> columns = relation.columns;
  BoundSort sort;
  for (const BoundSortOrder& key : order) {
    const BoundColumn column{
        .id = next_id(), .name = "key", .type = key.child->type, .nullable = key.child->nullable};
    computed.outputs.push_back({key.child, column.id});
    sort.order_by.push_back({ReferTo(column), key.ascending, key.nulls_first});
    columns.push_back(column);
  }
  sort.child = MakeBoundRelation(std::move(computed), columns);
  BoundProject shown{.child = MakeBoundRelation(std::move(sort), columns), .outputs = {}};
  for (const BoundColumn& column : relation.columns)
    shown.outputs.push_back({ReferTo(column), column.id});
  return MakeBoundRelation(std::move(shown), relation.columns);
}

}  // namespace

BoundRelationPtr InWindowOrder(const BoundRelationPtr& query,
                               const std::function<ColumnId()>& next_id) {
  const auto above = [&](const auto& node) {
    BoundRelationPtr child = InWindowOrder(node.child, next_id);
    if (child == node.child) return query;
    auto copy = node;
    copy.child = std::move(child);
    return MakeBoundRelation(std::move(copy), query->columns);
  };
  if (const auto* project = query->As<BoundProject>()) {
    const WindowKeys keys = KeysOf(*project);
    if (!keys.has_windows) return above(*project);
    return keys.order.empty() ? query : Sorted(*query, keys.order, next_id);
  }
  if (const auto* filter = query->As<BoundFilter>()) return above(*filter);
  if (const auto* limit = query->As<BoundLimit>()) return above(*limit);
  return query;
}

}  // namespace merganser
