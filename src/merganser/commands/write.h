#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// DataFrameWriter: makes the table or adds to it, as the mode says. Gives no rows.
///
/// Columns are matched by name, those of insertInto by position. Fails with
/// TABLE_OR_VIEW_ALREADY_EXISTS and DELTA_PATH_EXISTS in the mode that refuses what exists, and as
/// RunCreateTable and RunInsert.
Result<ResultSet> RunWrite(StatementContext& context, const plan::Write& command);

/// DataFrameWriterV2. Fails with TABLE_OR_VIEW_NOT_FOUND where the table must exist, else as
/// RunWrite.
Result<ResultSet> RunWriteTo(StatementContext& context, const plan::WriteTo& command);

}  // namespace merganser
