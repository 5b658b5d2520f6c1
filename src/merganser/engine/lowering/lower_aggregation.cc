#include "merganser/engine/lowering/lower_aggregation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// Ids of computed grouping keys: above those that analysis hands out, unique by the aggregation's
/// own outputs.
constexpr ColumnId kFirstKeyId = 1'000'000'000'000;
constexpr ColumnId kKeysPerAggregation = 4096;

struct GroupingKey {
  BoundExpressionPtr expression;
  BoundExpressionPtr reference;
};

/// `expression` with every grouping expression in it replaced by a reference to its key. Arguments
/// of aggregate functions are over the rows below, not over the keys.
BoundExpressionPtr OverKeys(const BoundExpressionPtr& expression,
                            const std::vector<GroupingKey>& keys) {
  return Transform(expression, [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    for (const GroupingKey& key : keys) {
      if (SameExpression(*node, *key.expression)) return key.reference;
    }
    return node->As<BoundAggregate>() != nullptr ? node : nullptr;
  });
}

}  // namespace

Result<std::string> LowerAggregation(const BoundAggregation& aggregation,
                                     const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(*aggregation.child, context));
  const ColumnId owner = aggregation.outputs.empty() ? 0 : aggregation.outputs[0].id;
  std::vector<GroupingKey> keys;
  std::string computed;
  for (size_t i = 0; i < aggregation.group_by.size(); ++i) {
    const BoundExpressionPtr& key = aggregation.group_by[i];
    const ColumnId id = kFirstKeyId + owner * kKeysPerAggregation + static_cast<ColumnId>(i);
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, LowerExpression(*key, context));
    computed += fmt::format(", {} AS {}", value, EngineColumn(id));
    // A key that no grouping set has is NULL in every row.
    const bool grouped = aggregation.sets.empty() ||
                         std::ranges::any_of(aggregation.sets, [i](const std::vector<int>& set) {
                           return std::ranges::find(set, static_cast<int>(i)) != set.end();
                         });
    keys.push_back({key, grouped ? MakeBound(BoundColumnRef{id, "key", {}}, key->type, true)
                                 : NullOf(key->type)});
  }
  std::string list;
  for (const BoundOutput& output : aggregation.outputs) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                               LowerExpression(*OverKeys(output.expression, keys), context));
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", value, EngineColumn(output.id));
  }
  if (list.empty()) list = "TRUE AS present";
  const auto key_name = [&](size_t i) {
    return EngineColumn(keys[i].reference->As<BoundColumnRef>()->id);
  };
  std::string grouping;
  if (!aggregation.sets.empty()) {
    for (const auto& set : aggregation.sets) {
      std::string items;
      for (const int i : set)
        items += (items.empty() ? "" : ", ") + key_name(static_cast<size_t>(i));
      grouping += fmt::format("{}({})", grouping.empty() ? "" : ", ", items);
    }
    grouping = fmt::format(" GROUP BY GROUPING SETS ({})", grouping);
  } else if (!keys.empty()) {
    for (size_t i = 0; i < keys.size(); ++i)
      grouping += (grouping.empty() ? " GROUP BY " : ", ") + key_name(i);
  }
  return fmt::format("SELECT {} FROM (SELECT *{} FROM ({}) AS q) AS grouped{}", list, computed,
                     child, grouping);
}

}  // namespace merganser
