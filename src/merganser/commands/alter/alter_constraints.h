#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/alter/table_change.h"

namespace merganser {

/// ADD CONSTRAINT name CHECK (condition): every row of the table must satisfy it already.
/// Fails with DELTA_CONSTRAINT_ALREADY_EXISTS, DELTA_NEW_CHECK_CONSTRAINT_VIOLATION, and as
/// BindCheckConstraint.
Status AddConstraint(TableChange change, const plan::AlterAddConstraint& action);

/// DROP CONSTRAINT. Fails with DELTA_CONSTRAINT_DOES_NOT_EXIST unless IF EXISTS.
Status DropConstraint(TableChange change, const plan::AlterDropConstraint& action);

}  // namespace merganser
