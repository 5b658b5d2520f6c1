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
  /// False for a view that has only some of the table's columns, or more than them.
  bool has_all_columns = true;
};

/// Bind the target of MERGE, UPDATE or DELETE: a Delta table, or a view that selects columns of
/// one. What can be done with a view of other columns than the table's is for the statement to say.
///
/// `operation` ("UPDATE", ...) is for messages. Fails with UNSUPPORTED_FEATURE.TABLE_OPERATION for
/// a table that is not Delta and DELTA_UNEXPECTED_PARTIAL_SCAN for a view that is more than a
/// projection.
Result<DmlTarget> BindTarget(Analyzer& analyzer, const plan::RelationPtr& target,
                             const std::string& operation);

/// The same for UPDATE and DELETE of `name alias`: a view must have the table's columns, no more
/// and no less, or DELTA_UNEXPECTED_PARTIAL_SCAN.
Result<DmlTarget> BindWholeTarget(Analyzer& analyzer, const plan::MultipartName& name,
                                  const std::string& alias, const std::string& operation);

/// The error for a key of SET that goes into what is no struct, or names no field of one: as for
/// reading it, or DELTA_UNSUPPORTED_NESTED_FIELD_IN_UPDATE for what can be read but not set, such
/// as a field of an array's structs.
Error NoFieldToSet(Analyzer& analyzer, const std::vector<std::string>& parts, const Scope& scope,
                   const plan::Origin& origin);

/// A relation for `name alias`.
plan::RelationPtr TargetRelation(const plan::MultipartName& name, const std::string& alias);

}  // namespace merganser
