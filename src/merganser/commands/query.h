#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// Start a query. Errors of analysis come at once, run-time errors from the rows.
Result<ResultSet> RunQuery(StatementContext& context, const plan::RelationPtr& query);

/// Start a bound query.
Result<ResultSet> RunBoundQuery(StatementContext& context, const BoundRelationPtr& query);

}  // namespace merganser
