#pragma once

#include <map>
#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/delta/table/file_predicate.h"
#include "merganser/engine/scan/key_set.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Evaluate the source of a merge once, into the temporary relation `source_rows`: only the columns
/// that conditions and values use, so that nothing else is carried through joins. Returns the
/// number of rows.
Result<int64_t> MaterializeSource(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge);

/// What the source's keys say about the rows of the target that can match.
struct SourceKeys {
  /// For each conjunct `target column = source expression` of ON: the smallest and the largest
  /// source value and, where they are few, all of them.
  FilePredicate predicate;
  /// All distinct values by target column, where a list of them may rule out files and row groups
  /// within the bounds: at most a million, of integers, dates, timestamps and strings.
  std::map<std::string, engine::KeySet> sets;
};

/// Summarize the keys of `source_rows`. Target rows outside of the summary match nothing. The lists
/// are made only where they can pay: keys all over their range would rule out nothing.
Result<SourceKeys> SummarizeSourceKeys(StatementContext& context, StatementScans& scans,
                                       const BoundMerge& merge, int64_t source_rows);

}  // namespace merganser
