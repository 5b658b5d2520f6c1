#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/store_assignment_policy.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

/// CANNOT_UP_CAST_DATATYPE: under the strict policy `from` may not become `to`. `expression` is its
/// SQL, or the name of the column it goes to.
Error NoUpCast(const std::string& expression, const DataType& from, const DataType& to);

/// `value` as a value of the table column `field`, as INSERT and the DataFrame writer store it: an
/// ANSI cast that names the column in its overflow error. Structs are matched by position, CHAR
/// values padded.
///
/// Fails with DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION where no cast exists, and under the strict
/// policy with CANNOT_UP_CAST_DATATYPE where one would lose something.
Result<BoundExpressionPtr> StoreAssign(const BoundExpressionPtr& value, const StructField& field,
                                       StoreAssignmentPolicy policy, const TypingContext& typing);

/// Can a value of `from` overflow when it is cast for a column of type `to`? Only integers and
/// decimals, alone or inside of others, have the error class for that.
bool CanOverflowInTable(const DataType& from, const DataType& to);

/// A reference to a column of a relation.
BoundExpressionPtr ColumnReference(const BoundColumn& column);

}  // namespace merganser
