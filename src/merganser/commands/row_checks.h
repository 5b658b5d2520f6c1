#pragma once

#include <set>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/write_target.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// SQL conditions, one a constraint, that are TRUE for rows the table may hold and raise the
/// constraint's error for others: NOT NULL at every level, lengths of CHAR and VARCHAR, CHECK
/// constraints, column invariants, and values of generated columns. `columns` gives the engine's
/// name of each column of the target's schema; a condition is to be ANDed in the order given.
/// Generated columns in `computed` hold what their expressions give, so they are not checked.
///
/// Errors: DELTA_NOT_NULL_CONSTRAINT_VIOLATED, DELTA_VIOLATE_CONSTRAINT_WITH_VALUES,
/// DELTA_EXCEED_CHAR_VARCHAR_LIMIT. Fails with analysis errors if a constraint's text cannot be
/// bound.
Result<std::vector<std::string>> RowChecks(StatementContext& context, StatementScans& scans,
                                           const WriteTarget& target,
                                           const std::vector<BoundColumn>& columns,
                                           const std::set<std::string>& computed = {});

/// Engine SQL that is TRUE where `condition` is, and raises `error` elsewhere. `values` (", 'name',
/// text" each) names the columns that the error's parameter `values` lists.
std::string RaiseUnless(std::string_view condition, const Error& error,
                        std::string_view values = {});

/// Names and text of the columns that a constraint looks at, for RaiseUnless.
Result<std::string> ValueArguments(const BoundExpression& condition,
                                   const std::vector<BoundColumn>& columns,
                                   const TypingContext& typing, const LoweringContext& lowering);

}  // namespace merganser
