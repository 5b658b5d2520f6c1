#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// TRUNCATE TABLE: all rows go, the table's history stays.
/// Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE and
/// DELTA_CANNOT_MODIFY_APPEND_ONLY.
Result<ResultSet> RunTruncate(StatementContext& context, const plan::TruncateTable& command);

}  // namespace merganser
