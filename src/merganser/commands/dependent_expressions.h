#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The CHECK constraints of a table that name the column or field at `path`, a field inside it, or
/// a struct around it: lines `name -> condition`. Empty if there is none.
Result<std::string> ConstraintsUsing(const Snapshot& snapshot,
                                     const std::vector<std::string>& path);
/// The same for generated columns.
Result<std::string> GeneratedColumnsUsing(const Snapshot& snapshot,
                                          const std::vector<std::string>& path);

/// May the table's schema become `after` without a change to a constraint or a generated column?
/// Fails with DELTA_CONSTRAINT_DATA_TYPE_MISMATCH or DELTA_GENERATED_COLUMNS_DATA_TYPE_MISMATCH if
/// one of them uses a column whose type is another in `after`. New fields are no change.
Status CheckTypeChanges(const Snapshot& snapshot, const StructType& after);

}  // namespace merganser
