#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// MERGE INTO. Gives one row: num_affected_rows, num_updated_rows, num_deleted_rows,
/// num_inserted_rows, all BIGINT. Source columns that `*` ignores are named in a warning. Fails as
/// BindMerge and ExecuteMerge.
Result<ResultSet> RunMerge(StatementContext& context, const plan::MergeInto& command);

}  // namespace merganser
