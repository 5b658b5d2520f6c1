#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// RESTORE TABLE ... TO VERSION or TIMESTAMP AS OF: a new version with the rows and metadata of an
/// old one; the protocol is never lowered. Gives one row: sizes and numbers of files.
///
/// Fails with DELTA_CANNOT_RESTORE_TABLE_VERSION, DELTA_CANNOT_RESTORE_TIMESTAMP_EARLIER,
/// DELTA_CANNOT_RESTORE_TIMESTAMP_GREATER, and FAILED_READ_FILE.FILE_NOT_EXIST if files of the old
/// version are gone.
Result<ResultSet> RunRestore(StatementContext& context, const plan::Restore& command);

}  // namespace merganser
