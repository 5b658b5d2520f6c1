#pragma once

#include <functional>

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// `query`, if it ends in window functions that share one PARTITION BY and ORDER BY, sorted by
/// these: the order in which Spark leaves such rows as long as they fit one task. Selections,
/// filters and limits above the windows keep it. Any other query is returned as it is.
BoundRelationPtr InWindowOrder(const BoundRelationPtr& query,
                               const std::function<ColumnId()>& next_id);

}  // namespace merganser
