#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/config/session_conf.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Under the rule of open-source Delta: does it matter that a target row has several matches at
/// all? Not for insert-only merges, nor where the only matched clause is an unconditional DELETE
/// (spec/merge.md 4.4).
bool IsCheckedOnMatches(const StatementContext& context, const BoundMerge& merge);

/// Look for target rows that several source rows act on (or match, under MultiMatchRule::kOn) in
/// the table `actions`, which is about the files of `scan`. Afterwards it holds one row a target
/// row, and no rows that do not act.
///
/// Fails with DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE; its message names up to ten
/// of the ambiguous keys.
Status ResolveMultiMatches(StatementContext& context, StatementScans& scans,
                           const BoundMerge& merge, const std::string& scan, MultiMatchRule rule);

}  // namespace merganser
