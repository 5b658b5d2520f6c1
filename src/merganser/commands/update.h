#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// UPDATE table SET ... [WHERE ...]: a merge of one matched clause without a source. Gives one row:
/// num_affected_rows. Fails as BindUpdate and ExecuteMerge.
Result<ResultSet> RunUpdate(StatementContext& context, const plan::Update& command);

}  // namespace merganser
