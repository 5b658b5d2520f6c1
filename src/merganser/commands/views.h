#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE [OR REPLACE] [TEMPORARY] VIEW. The query is bound once, so that a view that cannot be
/// read is not made. Fails with TEMP_TABLE_OR_VIEW_ALREADY_EXISTS, TABLE_OR_VIEW_ALREADY_EXISTS,
/// CREATE_VIEW_COLUMN_ARITY_MISMATCH.*, and the errors of analysis.
Result<ResultSet> RunCreateView(StatementContext& context, const plan::CreateView& command);

/// DROP VIEW. Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_VIEW_NOT_TABLE.NO_ALTERNATIVE.
Result<ResultSet> RunDropView(StatementContext& context, const plan::DropView& command);

/// DROP TABLE: a table or a view. A managed table's folder goes with it.
/// Fails with TABLE_OR_VIEW_NOT_FOUND unless IF EXISTS.
Result<ResultSet> RunDropTable(StatementContext& context, const plan::DropTable& command);

}  // namespace merganser
