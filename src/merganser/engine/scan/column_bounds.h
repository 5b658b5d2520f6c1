#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/planner/table_filter.hpp>

namespace merganser::engine {

/// What is known of the values of a column in a file.
struct ColumnBounds {
  duckdb::Value min;  ///< NULL if unknown, as is `max`.
  duckdb::Value max;
  bool may_be_null = true;
  bool may_have_value = true;
  std::optional<duckdb::Value> constant = {};  ///< Set if every row has this value.

  /// A column that has `value`, which may be NULL, in every row.
  static ColumnBounds Constant(duckdb::Value value);
};

/// Bounds of a nested field, given the positions of the fields below the filtered column that lead
/// to it; empty for the column itself.
using BoundsOfField = std::function<ColumnBounds(const std::vector<duckdb::idx_t>&)>;

/// Could some row satisfy `filter`? False only if bounds rule it out; kinds of filters that bounds
/// say nothing about count as satisfiable.
bool MayMatch(duckdb::ClientContext& context, const duckdb::TableFilter& filter,
              const BoundsOfField& bounds);

}  // namespace merganser::engine
