#include "merganser/spark/analysis/select_block.h"

#include <algorithm>
#include <map>
#include <utility>

#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

namespace {

BoundColumn ColumnOf(const SelectItem& item) {
  return {.id = item.id,
          .name = item.name,
          .type = item.expression->type,
          .nullable = item.expression->nullable,
          .metadata = item.metadata};
}

BoundRelationPtr BuildBase(const SelectBlock& block) {
  BoundRelationPtr base = block.input->relation;
  if (block.aggregation) {
    const SelectAggregation& aggregation = *block.aggregation;
    BoundAggregation node{
        .child = base, .group_by = aggregation.group_by, .sets = aggregation.sets, .outputs = {}};
    std::vector<BoundColumn> columns;
    for (size_t i = 0; i < aggregation.group_by.size(); ++i) {
      node.outputs.push_back({.expression = aggregation.group_by[i], .id = aggregation.ids[i]});
    }
    node.outputs.insert(node.outputs.end(), aggregation.computed.begin(),
                        aggregation.computed.end());
    SelectBlock without_generators;
    without_generators.input = block.input;
    without_generators.aggregation = block.aggregation;
    base = MakeBoundRelation(std::move(node), without_generators.BaseColumns());
  }
  if (block.having != nullptr) {
    std::vector<BoundColumn> columns = base->columns;
    base = MakeBoundRelation(BoundFilter{base, block.having}, std::move(columns));
  }
  for (const SelectGenerator& generator : block.generators) {
    std::vector<BoundColumn> columns = base->columns;
    columns.insert(columns.end(), generator.columns.begin(), generator.columns.end());
    base = MakeBoundRelation(
        BoundGenerate{base, generator.function, generator.arguments, generator.outer},
        std::move(columns));
  }
  return base;
}

/// Puts window functions that stand inside another window function into items of their own.
class NestedWindows {
 public:
  NestedWindows(std::vector<SelectItem>& extracted, const std::function<ColumnId()>& next_id)
      : extracted_(extracted), next_id_(next_id) {}

  BoundExpressionPtr Flatten(const BoundExpressionPtr& expression) {
    return Descend(expression, false);
  }

 private:
  BoundExpressionPtr Descend(const BoundExpressionPtr& expression, bool in_window) {
    return Transform(expression, [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
      const auto* window = node->As<BoundWindow>();
      if (window == nullptr) return nullptr;
      BoundExpressionPtr flat = FlattenWindow(*window, *node);
      if (!in_window) return flat;
      SelectItem item{.name = "window", .expression = flat, .id = next_id_()};
      const BoundColumn column = ColumnOf(item);
      extracted_.push_back(std::move(item));
      return ReferTo(column);
    });
  }

  BoundExpressionPtr FlattenWindow(const BoundWindow& window, const BoundExpression& node) {
    BoundWindow flat = window;
    flat.function = Descend(window.function, true);
    for (BoundExpressionPtr& key : flat.partition_by) key = Descend(key, true);
    for (BoundSortOrder& order : flat.order_by) order.child = Descend(order.child, true);
    return MakeBound(std::move(flat), node.type, node.nullable, node.origin);
  }

  std::vector<SelectItem>& extracted_;
  const std::function<ColumnId()>& next_id_;
};

/// For each item the number of projections below the one that can compute it.
std::map<ColumnId, int> LevelsOf(const std::vector<SelectItem>& items,
                                 const std::set<ColumnId>& base) {
  std::map<ColumnId, const SelectItem*> by_id;
  for (const SelectItem& item : items) {
    if (!base.contains(item.id)) by_id.emplace(item.id, &item);
  }
  std::map<ColumnId, int> levels;
  const std::function<int(ColumnId)> level_of = [&](ColumnId id) -> int {
    if (const auto known = levels.find(id); known != levels.end()) return known->second;
    levels[id] = 0;
    std::vector<ColumnId> used;
    CollectColumns(*by_id.at(id)->expression, used);
    int level = 0;
    for (const ColumnId other : used) {
      if (other != id && by_id.contains(other)) level = std::max(level, level_of(other) + 1);
    }
    levels[id] = level;
    return level;
  };
  for (const auto& [id, item] : by_id) level_of(id);
  return levels;
}

}  // namespace

BoundExpressionPtr ReferTo(const BoundColumn& column, std::vector<std::string> qualifier) {
  return MakeBound(BoundColumnRef{column.id, column.name, std::move(qualifier)}, column.type,
                   column.nullable);
}

std::vector<BoundColumn> SelectBlock::BaseColumns() const {
  std::vector<BoundColumn> columns;
  if (!aggregation) {
    columns = input->relation->columns;
  } else {
    for (size_t i = 0; i < aggregation->group_by.size(); ++i) {
      const BoundExpression& key = *aggregation->group_by[i];
      const auto* reference = key.As<BoundColumnRef>();
      columns.push_back({.id = aggregation->ids[i],
                         .name = reference != nullptr ? reference->name : GeneratedName(key),
                         .type = key.type,
                         .nullable = key.nullable || !aggregation->sets.empty()});
    }
    for (const BoundOutput& output : aggregation->computed) {
      columns.push_back({.id = output.id,
                         .name = GeneratedName(*output.expression),
                         .type = output.expression->type,
                         .nullable = output.expression->nullable});
    }
  }
  for (const SelectGenerator& generator : generators) {
    columns.insert(columns.end(), generator.columns.begin(), generator.columns.end());
  }
  return columns;
}

Scope SelectBlock::OutputScope() const {
  Scope scope;
  for (const SelectItem& item : items) {
    scope.Add({.column = ColumnOf(item),
               .qualifier = item.qualifier,
               .hidden = false,
               .identity = item.identity});
  }
  scope.InheritPlans(input->scope);
  return scope;
}

bool SelectBlock::HasItem(ColumnId id) const {
  const auto is = [id](const SelectItem& item) { return item.id == id; };
  return std::any_of(items.begin(), items.end(), is) ||
         std::any_of(hidden.begin(), hidden.end(), is);
}

BoundRelationPtr BuildSelect(const SelectBlock& block, const std::function<ColumnId()>& next_id) {
  BoundRelationPtr relation = BuildBase(block);
  std::set<ColumnId> base;
  for (const BoundColumn& column : relation->columns) base.insert(column.id);

  std::vector<SelectItem> results = block.items;
  results.insert(results.end(), block.hidden.begin(), block.hidden.end());
  std::vector<SelectItem> items;
  NestedWindows windows(items, next_id);
  for (SelectItem& item : results) item.expression = windows.Flatten(item.expression);
  items.insert(items.end(), results.begin(), results.end());

  const std::map<ColumnId, int> levels = LevelsOf(items, base);
  const auto level_of = [&](ColumnId id) {
    const auto found = levels.find(id);
    return found == levels.end() ? 0 : found->second;
  };
  int last = 0;
  for (const auto& [id, level] : levels) last = std::max(last, level);

  for (int level = 0; level <= last; ++level) {
    BoundProject project{.child = relation, .outputs = {}};
    std::vector<BoundColumn> columns;
    std::set<ColumnId> added;
    const auto add = [&](BoundExpressionPtr expression, BoundColumn column) {
      if (!added.insert(column.id).second) return;
      project.outputs.push_back({std::move(expression), column.id});
      columns.push_back(std::move(column));
    };
    if (level < last) {
      // Everything below stays available: a later expression may use it. The engine drops what
      // nothing reads.
      for (const BoundColumn& column : relation->columns) add(ReferTo(column), column);
      for (const SelectItem& item : items) {
        if (level_of(item.id) == level) add(item.expression, ColumnOf(item));
      }
    } else {
      for (const SelectItem& item : results) {
        const bool computed_below = level_of(item.id) < level && !base.contains(item.id);
        add(computed_below ? ReferTo(ColumnOf(item)) : item.expression, ColumnOf(item));
      }
    }
    relation = MakeBoundRelation(std::move(project), std::move(columns));
  }
  if (block.qualify != nullptr) {
    std::vector<BoundColumn> columns = relation->columns;
    relation = MakeBoundRelation(BoundFilter{relation, block.qualify}, std::move(columns));
  }
  return relation;
}

}  // namespace merganser
