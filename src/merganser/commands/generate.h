#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// GENERATE symlink_format_manifest FOR TABLE. Fails with DELTA_MODE_NOT_SUPPORTED for another
/// mode, and as FindTargetTable and WriteManifest.
Result<ResultSet> RunGenerate(StatementContext& context, const plan::Generate& command);

}  // namespace merganser
