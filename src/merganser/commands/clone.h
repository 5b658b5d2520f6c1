#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CREATE [OR REPLACE] TABLE target SHALLOW CLONE source: a table of its own that begins with the
/// source's files, where they are. Gives the sizes of the source as one row.
///
/// Fails with DELTA_TABLE_ALREADY_EXISTS, DELTA_CANNOT_REPLACE_MISSING_TABLE,
/// DELTA_UNSUPPORTED_NON_EMPTY_CLONE, DELTA_CLONE_UNSUPPORTED_SOURCE,
/// DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION, DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE, and as
/// Analyzer::SnapshotAsOf.
Result<ResultSet> RunClone(StatementContext& context, const plan::CloneTable& command);

}  // namespace merganser
