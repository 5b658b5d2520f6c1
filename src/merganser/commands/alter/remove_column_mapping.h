#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/target_table.h"

namespace merganser {

/// Rewrite a table's files so that columns have their logical names in them, and take column
/// mapping off the table. `keeps_property` leaves delta.columnMapping.mode in place, set to none.
///
/// Fails with DELTA_INVALID_COLUMN_NAMES_WHEN_REMOVING_COLUMN_MAPPING and as RewriteFiles.
Status RemoveColumnMapping(StatementContext& context, const SnapshotRef& snapshot,
                           bool keeps_property);

}  // namespace merganser
