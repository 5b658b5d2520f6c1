#pragma once

#include <string>

#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// Does the function give NULL where an argument is NULL?
bool IsNullIntolerant(const std::string& function);

/// Is the expression NULL whatever rows there are: a NULL, a cast of one, or a call with one to a
/// function that gives NULL for a NULL? Spark then evaluates nothing of it, so that no other
/// argument can fail.
bool IsNullConstant(const BoundExpression& expression);

}  // namespace merganser
