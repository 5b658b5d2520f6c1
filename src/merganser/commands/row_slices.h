#pragma once

#include <cstdint>
#include <vector>

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// Most files that repartition(n) is followed to; more would hold as many open at once.
inline constexpr int64_t kMostParts = 32;

/// Rows to be dealt out in turn to a number of files.
struct RowSlice {
  BoundRelationPtr rows;
  int64_t parts = 1;
};

/// The parts of `relation` that Spark's tasks would write, each into files of its own: rows that
/// came with the statement are dealt out to `parallelism` tasks, a projection, a filter or a
/// UNION ALL keeps the tasks of its inputs, and repartition(n) and coalesce(n) say how many there
/// are. All else is one part.
///
/// The slices have the types of the relation's columns, in order, and together its rows.
std::vector<RowSlice> RowSlices(const BoundRelationPtr& relation, int64_t parallelism);

}  // namespace merganser
