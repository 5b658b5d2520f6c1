#pragma once

#include <functional>

#include "merganser/spark/functions/resolve.h"

/// Walking bound expressions.
namespace merganser {

/// Call `visit` with every direct child, those of a call's replacement not included. Queries inside
/// subqueries are not entered.
void ForEachChild(const BoundExpression& expression,
                  const std::function<void(const BoundExpression&)>& visit);

/// True if `test` holds for the expression or anything below it.
bool AnyNode(const BoundExpression& expression,
             const std::function<bool(const BoundExpression&)>& test);

}  // namespace merganser
