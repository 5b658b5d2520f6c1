#pragma once

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// The pipe operator at the cursor (behind `|>`) over `input`, which begins at the token `first`.
///
/// EXTEND and SET are projections with a star, DROP is a star with EXCEPT; AGGREGATE puts the
/// grouping expressions in front of the aggregates.
Result<plan::RelationPtr> ParsePipeOperator(TokenStream& in, plan::RelationPtr input, size_t first);

}  // namespace merganser
