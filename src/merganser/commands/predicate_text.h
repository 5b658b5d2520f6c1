#pragma once

#include <string>

#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// A condition on a table as operation parameters show it, in the form of Catalyst's toString:
/// columns by their bare names, texts without quotes: `(p = b)`, `isnull(v)`.
std::string PredicateText(const BoundExpressionPtr& condition);

/// The same as SQL, texts in quotes: `(p = 'b')`.
std::string PredicateSql(const BoundExpressionPtr& condition);

}  // namespace merganser
