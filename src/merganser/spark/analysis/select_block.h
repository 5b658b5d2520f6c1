#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/analysis/scope.h"

namespace merganser {

struct Binding;

/// A column of a SELECT list.
struct SelectItem {
  std::string name;
  BoundExpressionPtr expression;
  ColumnId id = 0;
  std::vector<std::string> qualifier = {};
  ColumnId identity = 0;  ///< As in ScopeColumn.
  FieldMetadata metadata = {};
};

/// GROUP BY and everything that is computed a group.
struct SelectAggregation {
  std::vector<BoundExpressionPtr> group_by;
  std::vector<ColumnId> ids;  ///< Under which the value of each grouping expression is known above.
  std::vector<std::vector<int>>
      sets;  ///< Grouping sets; empty without ROLLUP, CUBE and GROUPING SETS.
  std::vector<BoundOutput>
      computed;  ///< Aggregate functions and calls of grouping and grouping_id.
};

/// A generator function of the SELECT list.
struct SelectGenerator {
  std::string function;
  std::vector<BoundExpressionPtr> arguments;
  bool outer = false;
  std::vector<BoundColumn> columns;
};

/// A SELECT with its clauses in the order they are computed, before it becomes nested relations.
/// ORDER BY and QUALIFY add hidden items to it.
struct SelectBlock {
  std::shared_ptr<const Binding> input;  ///< FROM and WHERE.
  std::optional<SelectAggregation> aggregation;
  BoundExpressionPtr having;  ///< Over what the aggregation gives; may be null.
  std::vector<SelectGenerator> generators;
  std::vector<SelectItem> items;  ///< May refer to each other's ids (lateral column aliases).
  std::vector<SelectItem> hidden;
  BoundExpressionPtr qualify;  ///< Over items and hidden items; may be null.

  /// Columns of what the SELECT list is computed from: input or aggregation, then generators.
  std::vector<BoundColumn> BaseColumns() const;
  /// The visible columns, with the plan columns of the input.
  Scope OutputScope() const;
  bool HasItem(ColumnId id) const;
};

/// The relation of a block: columns of the items, then of the hidden items.
///
/// Items that refer to other items, and window functions over window functions, are computed in
/// projections one above the other, as Spark does, so that each expression is evaluated once.
BoundRelationPtr BuildSelect(const SelectBlock& block, const std::function<ColumnId()>& next_id);

/// A reference to `column`.
BoundExpressionPtr ReferTo(const BoundColumn& column, std::vector<std::string> qualifier = {});

}  // namespace merganser
