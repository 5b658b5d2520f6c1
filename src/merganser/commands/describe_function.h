#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// DESCRIBE FUNCTION: one text per row in the column `function_desc`. Fails with
/// UNRESOLVED_ROUTINE.
Result<ResultSet> RunDescribeFunction(StatementContext& context,
                                      const plan::DescribeFunction& command);

}  // namespace merganser
