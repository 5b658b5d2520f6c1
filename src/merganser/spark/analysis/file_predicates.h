#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "merganser/delta/table/file_predicate.h"
#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// The AND-ed parts of a condition, in order.
std::vector<BoundExpressionPtr> SplitConjuncts(const BoundExpressionPtr& condition);

/// The path of a table column (logical names from the root) by its id; empty for anything else.
using ColumnNames = std::function<std::vector<std::string>(ColumnId)>;

/// What files can be judged by: those of `conjuncts` that test one column of the table against
/// literals. The others are left out, which keeps more files but never a wrong one.
FilePredicate ToFilePredicate(const std::vector<BoundExpressionPtr>& conjuncts,
                              const ColumnNames& names);

/// A literal as a scalar of `type`, if it has a value of that type; nothing where it does not fit
/// exactly.
std::optional<Scalar> ToScalar(const plan::Literal& literal, const DataType& type);

}  // namespace merganser
