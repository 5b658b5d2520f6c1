#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE TABLE target LIKE source: an empty table with the source's columns, partitioning and,
/// between Delta tables, properties, comment and protocol.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, TABLE_OR_VIEW_ALREADY_EXISTS,
/// DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION, and as DefineTable.
Result<ResultSet> RunCreateTableLike(StatementContext& context,
                                     const plan::CreateTableLike& command);

}  // namespace merganser
