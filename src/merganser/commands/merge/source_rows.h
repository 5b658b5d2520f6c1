#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Evaluate the source of a merge once, into the temporary table `source_rows`: only the columns
/// that conditions and values use, so that nothing else is carried through joins. Returns the
/// number of rows.
Result<int64_t> MaterializeSource(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge);

/// Bounds that the source's keys set for the target: for each conjunct `target column = source
/// expression` the smallest and largest source value. A file without such values cannot match;
/// valid unless target rows without a match matter.
Result<FilePredicate> SourceKeyBounds(StatementContext& context, StatementScans& scans,
                                      const BoundMerge& merge);

}  // namespace merganser
