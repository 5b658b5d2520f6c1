#pragma once

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// SELECT with everything up to QUALIFY; see ParseQuery for how the clauses nest.
Result<plan::RelationPtr> ParseSelect(TokenStream& in);

/// The same where FROM came first and gave `from`.
Result<plan::RelationPtr> ParseSelectAfterFrom(TokenStream& in, plan::RelationPtr from);

/// The SELECT list at the cursor, the word SELECT and hints included, over `child`: a Project or,
/// with GROUP BY, an Aggregate, under Distinct. What the pipe operator SELECT is.
Result<plan::RelationPtr> ParsePipeSelect(TokenStream& in, plan::RelationPtr child);

}  // namespace merganser
