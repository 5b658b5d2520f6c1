#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CACHE TABLE, REFRESH TABLE, ANALYZE TABLE and their kin: nothing to do here.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND if CACHE or REFRESH name what does not exist, and with
/// NOT_SUPPORTED_COMMAND_FOR_V2_TABLE for ANALYZE of a Delta table.
Result<ResultSet> RunNoOperation(StatementContext& context, const plan::NoOperation& command);

}  // namespace merganser
