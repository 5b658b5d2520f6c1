#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// MERGE ... DRY RUN: the changes that the statement would make, and no change. One row a target
/// row to update or delete and a source row to insert:
/// - `clause`: the clause that fires, "WHEN MATCHED #1";
/// - `action`: "update", "delete" or "insert";
/// - `old`, `new`: the row before and after, structs of the columns that the table would have; NULL
///   where there is none.
///
/// Fails as the statement would up to its commit, constraints included.
Result<ResultSet> PreviewMerge(StatementContext& context, const plan::MergeInto& command);

}  // namespace merganser
