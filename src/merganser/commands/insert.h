#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// INSERT INTO and INSERT OVERWRITE a Delta table.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE,
/// DELTA_INSERT_COLUMN_ARITY_MISMATCH, DELTA_METADATA_MISMATCH (extra columns without schema
/// evolution), the constraint classes of RowChecks, and those of the query and of
/// Transaction::Commit.
Result<ResultSet> RunInsert(StatementContext& context, const plan::InsertInto& command);

}  // namespace merganser
