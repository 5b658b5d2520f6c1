#pragma once

#include <vector>

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// What GROUP BY says; the parts of plan::Aggregate.
struct Grouping {
  plan::GroupingKind kind = plan::GroupingKind::kGroupBy;
  std::vector<plan::ExpressionPtr> expressions;
  std::vector<std::vector<plan::ExpressionPtr>> sets;  ///< kGroupingSets only.
  bool all = false;                                    ///< GROUP BY ALL.
};

/// The GROUP BY at the cursor. With `aliases` expressions may have names, as after AGGREGATE.
///
/// A plain ROLLUP or CUBE keeps its kind. Composite elements, several of them side by side and
/// nested GROUPING SETS are multiplied out to sets. Fails with GROUPING_SIZE_LIMIT_EXCEEDED where
/// that would give too many.
Result<Grouping> ParseGroupBy(TokenStream& in, bool aliases = false);

}  // namespace merganser
