#pragma once

#include <string>
#include <vector>

#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/plan/bound_expression.h"

/// Bound expressions that rewrites are made of.
namespace merganser {

/// A typed NULL.
BoundExpressionPtr NullOf(const DataType& type);
BoundExpressionPtr IsNull(const BoundExpressionPtr& child);
/// CASE WHEN condition THEN yes ELSE no END; both branches are of the type of `yes`.
BoundExpressionPtr When(const BoundExpressionPtr& condition, const BoundExpressionPtr& yes,
                        const BoundExpressionPtr& no);
/// named_struct over the fields of `type`, which is a struct; one value a field.
BoundExpressionPtr StructOf(const DataType& type, const std::vector<BoundExpressionPtr>& values);
/// Field `index` of a struct value.
BoundExpressionPtr FieldOf(const BoundExpressionPtr& parent, int index);

}  // namespace merganser
