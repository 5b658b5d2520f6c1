#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// The first aggregate function that the query itself has to compute, null if there is none: the
/// function of a window is none, those among its arguments are.
const BoundExpression* FindAggregate(const BoundExpression& expression);

/// The first window function, or null.
const BoundExpression* FindWindow(const BoundExpression& expression);

/// The first generator (explode and its kin), or null.
const BoundExpression* FindGenerator(const BoundExpression& expression);

/// Ok, unless there is a generator: then UNSUPPORTED_GENERATOR.OUTSIDE_SELECT, which names the
/// operator (as Spark does: Filter, Sort, ...) with the expression.
Status CheckNoGenerator(const BoundExpression& expression, std::string_view operator_name);

/// All aggregate functions as FindAggregate sees them.
std::vector<const BoundExpression*> AggregatesOf(const BoundExpression& expression);

/// Do both always give the same value? Operands of `+`, `*`, `=`, AND, OR, ... may stand in either
/// order, and `a < b` is `b > a`.
bool Equivalent(const BoundExpression& left, const BoundExpression& right);

/// The expressions as an error parameter shows a list: `"a", "(b + 1)"`.
std::string QuotedExpressions(const std::vector<BoundExpressionPtr>& expressions);

}  // namespace merganser
