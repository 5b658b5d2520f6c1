#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Spark evaluates what reads no column while it plans, and a failure is the statement's even where
/// no row would have needed the value. Only the branches of CASE, IF and COALESCE wait for rows,
/// and what no one above uses is gone by then. Plans of inline tables are evaluated without this.
///
/// Ok, or the error of the first constant of `query` that fails.
Status FoldConstants(StatementContext& context, const BoundRelation& query);

/// The same for what decides about matches: the source, ON, and the conditions of matched clauses.
Status FoldMatchConstants(StatementContext& context, const BoundMerge& merge);
/// And for the rest of a MERGE, an UPDATE or a DELETE, which Spark plans once matches are known.
Status FoldWriteConstants(StatementContext& context, const BoundMerge& merge);

}  // namespace merganser
