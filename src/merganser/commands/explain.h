#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// EXPLAIN: how a statement would be run, as one text in the column `plan`: the engine's plan, with
/// EXTENDED and CODEGEN also its SQL. Of statements that change something the query part is shown,
/// of a MERGE what it would do (ExplainMerge); nothing is changed, except by EXPLAIN ANALYZE of a
/// MERGE, which runs it. An error of the statement becomes part of the text, as in Spark.
Result<ResultSet> RunExplain(StatementContext& context, const plan::Explain& command);

}  // namespace merganser
