#pragma once

#include <cstdint>
#include <vector>

#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The parts of `relation` that Spark's tasks would write, each into files of its own: rows that
/// came with the statement are dealt out to `parallelism` tasks, and a projection, a filter or a
/// UNION ALL keeps the tasks of its inputs. All else is one part.
///
/// The parts have the types of the relation's columns, in order, and together its rows.
std::vector<BoundRelationPtr> RowSlices(const BoundRelationPtr& relation, int64_t parallelism);

}  // namespace merganser
