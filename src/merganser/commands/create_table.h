#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE [OR REPLACE] TABLE, REPLACE TABLE, with or without AS SELECT. The table is there, with its rows, once commit
/// 0 (or the replacing commit) is.
///
/// Fails with TABLE_OR_VIEW_ALREADY_EXISTS, DELTA_CREATE_TABLE_SCHEME_MISMATCH (the location holds another table),
/// DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION, the classes of DefineTable, and those of the query.
Result<ResultSet> RunCreateTable(StatementContext& context, const plan::CreateTable& command);

}  // namespace merganser
