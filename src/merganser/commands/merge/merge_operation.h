#pragma once

#include "merganser/commands/merge/merge_metrics.h"
#include "merganser/delta/transaction/operation.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Commit information of a MERGE (spec/merge.md 9.2 and 9.4).
Operation DescribeMerge(const BoundMerge& merge, const MergeMetrics& metrics);

}  // namespace merganser
