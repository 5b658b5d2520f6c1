#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// The text of a column's default value, nullptr if it has none ("Default Columns" in PROTOCOL.md).
/// Fails with the classes of ParseExpression if the stored text is damaged.
Result<plan::ExpressionPtr> DefaultExpression(const StructField& field);

/// `query` with the keyword DEFAULT, where it stands for a whole value of VALUES or of the SELECT
/// list, replaced by the default of the column that the value goes to: `targets[i]` for the i-th
/// one. A column without a default gives NULL.
///
/// DEFAULT elsewhere stays and fails with DEFAULT_PLACEMENT_INVALID when the query is bound.
Result<plan::RelationPtr> ReplaceDefaults(const plan::RelationPtr& query,
                                          const std::vector<const StructField*>& targets);

}  // namespace merganser
