#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// ALTER VIEW ... SET or UNSET TBLPROPERTIES: a view is what the catalogue's record says of it.
/// False, and nothing is done, if the statement does something else.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_VIEW_NOT_TABLE.USE_ALTER_TABLE and
/// EXPECT_PERMANENT_VIEW_NOT_TEMP.
Result<bool> AlterRecord(StatementContext& context, Analyzer& analyzer,
                         const plan::AlterTable& command);

}  // namespace merganser
