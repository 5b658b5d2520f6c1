#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// The table that a statement changes, and the names its columns go by.
struct DmlTarget {
  SnapshotRef snapshot;
  std::vector<BoundColumn> columns;  ///< Named as the table names them.
  Scope scope;
};

/// Bind the target of MERGE, UPDATE or DELETE: a Delta table, or a view that is all of one.
///
/// `operation` ("UPDATE", ...) is for messages. Fails with UNSUPPORTED_FEATURE.TABLE_OPERATION for
/// a table that is not Delta and DELTA_UNEXPECTED_PARTIAL_SCAN for a view that is more than the
/// table.
Result<DmlTarget> BindTarget(Analyzer& analyzer, const plan::RelationPtr& target,
                             const std::string& operation);

/// A relation for `name alias`.
plan::RelationPtr TargetRelation(const plan::MultipartName& name, const std::string& alias);

}  // namespace merganser
