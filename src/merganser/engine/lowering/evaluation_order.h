#pragma once

#include <string>

#include "merganser/engine/lowering/call_lowering.h"

/// Spark evaluates from left to right and stops where the rest cannot change the result, so that
/// `b <> 0 AND a / b > 1` never divides by zero. The engine computes all operands and orders
/// filters as it likes; operands that can fail are therefore put into a CASE, which it computes
/// only for the rows that come to it.
namespace merganser {

/// Can evaluating the expression fail? True where it is not known. What is computed before the
/// expression is (aggregates, window functions, subqueries) is left out.
bool CanFail(const BoundExpression& expression, bool ansi);

/// AND (`is_and`) or OR of two operands as a value.
Result<std::string> LowerLogic(const BoundExpression& expression, bool is_and,
                               ExpressionLowering& lowering);

/// IN with a list, whose items are computed until one is equal.
Result<std::string> LowerInList(const LoweredCall& call);

/// `sql`, a call of a function that gives NULL for a NULL argument, so that an argument is not
/// computed where one before it is NULL. Constants are computed anyway: they are evaluated before
/// any row is.
Result<std::string> GuardArguments(const BoundCall& call, std::string sql,
                                   ExpressionLowering& lowering);

}  // namespace merganser
