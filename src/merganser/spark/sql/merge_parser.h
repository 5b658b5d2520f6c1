#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// MERGE INTO, with `[DRY RUN]` at its end.
///
/// Clauses may come in any order; each goes to its family (matched, not matched, not matched by
/// source) and keeps its place there. Fails with MERGE_WITHOUT_WHEN,
/// NON_LAST_*_CLAUSE_OMIT_CONDITION, COLUMN_ALIASES_NOT_ALLOWED and, for an INSERT with other than
/// one value a column, MERGE_INSERT_VALUE_COUNT_MISMATCH.
Result<plan::MergeInto> ParseMerge(TokenStream& in, plan::With with);

}  // namespace merganser
