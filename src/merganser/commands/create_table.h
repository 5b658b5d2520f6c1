#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/table_definition.h"
#include "merganser/delta/transaction/operation.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE [OR REPLACE] TABLE, REPLACE TABLE, with or without AS SELECT. The table is there, with
/// its rows, once commit 0 (or the replacing commit) is.
///
/// Fails with TABLE_OR_VIEW_ALREADY_EXISTS, TABLE_OR_VIEW_NOT_FOUND (REPLACE),
/// DELTA_CREATE_TABLE_SCHEME_MISMATCH and its siblings (the location holds another table),
/// DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION, the classes of DefineTable, and those of the query.
Result<ResultSet> RunCreateTable(StatementContext& context, const plan::CreateTable& command);

/// The history entry of a statement that creates a table of this metadata.
Operation DescribeTableCreation(std::string name, bool is_managed, const Metadata& metadata,
                                const std::vector<ColumnPath>& clustering);

}  // namespace merganser
