#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// DataFrame.show, and the table of notebooks: one row, one column (`show_string` or
/// `html_string`) with the drawing. Fails as the query.
Result<ResultSet> RunShowRows(StatementContext& context, const plan::ShowRows& command);

/// Columns of its answer.
StructType ShownSchema(const plan::ShowRows& command);

}  // namespace merganser
