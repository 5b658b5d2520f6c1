#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// DESCRIBE TABLE: col_name, data_type, comment; then the partition columns, and with EXTENDED what
/// else is known. Works on tables and views. Fails with TABLE_OR_VIEW_NOT_FOUND.
Result<ResultSet> RunDescribeTable(StatementContext& context, const plan::DescribeTable& command);

/// DESCRIBE QUERY: the columns a query gives.
Result<ResultSet> RunDescribeQuery(StatementContext& context, const plan::DescribeQuery& command);

/// DESCRIBE DETAIL: one row, columns as delta-spark gives them.
Result<ResultSet> RunDescribeDetail(StatementContext& context, const plan::DescribeDetail& command);

/// DESCRIBE HISTORY: one row a version, newest first, columns as delta-spark gives them.
Result<ResultSet> RunDescribeHistory(StatementContext& context,
                                     const plan::DescribeHistory& command);

}  // namespace merganser
