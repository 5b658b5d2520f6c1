#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// SET and UNSET TBLPROPERTIES of a view or a table of files, and ADD COLUMNS of such a table: they
/// are what the catalogue's record says of them. False, and nothing is done, if the statement does
/// something else or names a Delta table.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_VIEW_NOT_TABLE.USE_ALTER_TABLE,
/// EXPECT_PERMANENT_VIEW_NOT_TEMP, COLUMN_ALREADY_EXISTS, UNSUPPORTED_FEATURE.TABLE_OPERATION and
/// the classes of SchemaOfColumns.
Result<bool> AlterRecord(StatementContext& context, Analyzer& analyzer,
                         const plan::AlterTable& command);

}  // namespace merganser
