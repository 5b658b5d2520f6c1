#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// Run a command with the code of its own kind. Fails with UNSUPPORTED_FEATURE naming the statement
/// where this build has none.
Result<ResultSet> RunCommand(StatementContext& context, const plan::Command& command);

}  // namespace merganser
