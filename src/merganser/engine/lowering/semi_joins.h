#pragma once

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// EXISTS and NOT EXISTS of a WHERE as joins. The engine makes joins of them by itself, but not by
/// a condition that can fail: then it looks at the product of all rows.
///
/// The rows of `filter`, one such conjunct of which has become a semi or anti join; null if there
/// is none. The subquery must use columns of the filtered rows in its own WHERE alone.
BoundRelationPtr WithSemiJoin(const BoundFilter& filter, bool ansi);

}  // namespace merganser
