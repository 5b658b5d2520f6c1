#pragma once

#include <string>
#include <vector>

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The query of a sample: `child` is the query that it is taken of, `columns` what that calls its
/// columns.
std::string LowerSample(const BoundSample& sample, const std::vector<std::string>& columns,
                        const std::string& child);

}  // namespace merganser
