#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// VACUUM: delete the files below a table's folder that no version within the retention period
/// needs. LITE looks for them in the log, FULL (the default) in the folder. Commits VACUUM START
/// and VACUUM END around the deletion. Folders stay, also empty ones.
///
/// Gives the table's path; with DRY RUN the paths that would go. Fails with
/// DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT and DELTA_CANNOT_VACUUM_LITE, and as FindTargetTable.
Result<ResultSet> RunVacuum(StatementContext& context, const plan::Vacuum& command);

}  // namespace merganser
