#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// The property that holds the CHECK constraint called `name` ("CHECK Constraints" in PROTOCOL.md).
std::string ConstraintProperty(std::string_view name);

/// Bind a constraint's condition over `scope`, which has the table's columns.
///
/// Fails with DELTA_INVALID_CONSTRAINT_NAME, UNRESOLVED_COLUMN.*,
/// DELTA_NON_BOOLEAN_CHECK_CONSTRAINT, DELTA_AGGREGATE_IN_CHECK_CONSTRAINT,
/// DELTA_NON_DETERMINISTIC_EXPRESSION_IN_CHECK_CONSTRAINT and
/// DELTA_UNSUPPORTED_EXPRESSION_CHECK_CONSTRAINT (subqueries, window functions).
Result<BoundExpressionPtr> BindCheckConstraint(Analyzer& analyzer,
                                               const plan::TableConstraint& constraint,
                                               const Scope& scope);

/// Add a constraint to the properties of a table that has no rows yet.
/// Fails as BindCheckConstraint, and with DELTA_CONSTRAINT_ALREADY_EXISTS.
Status AddCheckConstraint(Analyzer& analyzer, const StructType& schema,
                          const plan::TableConstraint& constraint, StringMap& configuration);

}  // namespace merganser
