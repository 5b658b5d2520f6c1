#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// DELETE FROM table [WHERE ...]: a merge of one matched clause without a source. Gives one row:
/// num_affected_rows. Fails as BindDelete and ExecuteMerge.
Result<ResultSet> RunDelete(StatementContext& context, const plan::Delete& command);

}  // namespace merganser
