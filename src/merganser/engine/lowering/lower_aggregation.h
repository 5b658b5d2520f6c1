#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/engine/lowering/lowering.h"

namespace merganser {

/// SELECT ... GROUP BY. Grouping expressions are computed below the aggregation and referred to by
/// name, since two occurrences of one expression may differ in the query context that their errors
/// carry.
Result<std::string> LowerAggregation(const BoundAggregation& aggregation,
                                     const LoweringContext& context);

}  // namespace merganser
