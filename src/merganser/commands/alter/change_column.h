#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/alter/table_change.h"

namespace merganser {

/// ALTER COLUMN and CHANGE COLUMN, one or several at once: name, type, comment, position,
/// nullability, default value and SYNC IDENTITY.
///
/// Fails with UNRESOLVED_COLUMN.*, NOT_SUPPORTED_CHANGE_COLUMN (no cast between the types),
/// DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP (not a widening that the table allows, or a
/// tightening of NULL), DELTA_UNSUPPORTED_RENAME_COLUMN, INVALID_DEFAULT_VALUE.*,
/// DELTA_IDENTITY_COLUMNS_ALTER_*, and as CheckNothingDependsOn.
Status ChangeColumns(TableChange change, const std::vector<plan::AlterChangeColumn>& columns);

}  // namespace merganser
