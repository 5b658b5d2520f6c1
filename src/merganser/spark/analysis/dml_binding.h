#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/session_conf.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// One WHEN clause, or the one action of UPDATE and DELETE.
struct BoundClause {
  plan::MergeActionKind action = plan::MergeActionKind::kUpdate;
  BoundExpressionPtr condition;  ///< Null: always.
  /// Update and insert: the new row, one value a column of BoundMerge::schema and of its type, over
  /// the columns that the clause may see. All of them see the values from before the statement.
  std::vector<BoundExpressionPtr> values;
  /// Insert: positions of the identity columns whose values are numbers given out here.
  std::vector<size_t> numbered = {};
};

/// A MERGE (or UPDATE, or DELETE) whose names and types are known (spec/merge.md 2 to 7).
struct BoundMerge {
  SnapshotRef snapshot;
  /// The table's columns as they are now, with the ids by which the expressions know them.
  std::vector<BoundColumn> target_columns;
  /// Null for UPDATE and DELETE: every row that satisfies `condition` matches.
  BoundRelationPtr source;
  BoundExpressionPtr condition;  ///< ON; null for UPDATE and DELETE of every row.

  std::vector<BoundClause> matched;
  std::vector<BoundClause> not_matched;
  std::vector<BoundClause> not_matched_by_source;

  /// The table's schema after the statement. New columns have no ids of column mapping yet.
  StructType schema;
  bool schema_changed = false;
  /// A row that no clause changes, in terms of `schema`: old values, NULL for new columns.
  std::vector<BoundExpressionPtr> unchanged;

  /// Source columns that `*` leaves out because evolution is off; for a warning.
  std::vector<std::string> ignored_source_columns;
};

/// Bind a MERGE. Checks clause rules, resolves names in their scopes, expands stars, works out the
/// schema after evolution, and casts every assigned value to its column's type.
///
/// Fails with the classes of spec/merge.md 2.3 that concern analysis.
Result<BoundMerge> BindMerge(Analyzer& analyzer, const plan::MergeInto& merge,
                             const SessionConf& conf);

/// Bind an UPDATE: a merge of one matched clause without a source.
/// Fails with UNRESOLVED_COLUMN.WITH_SUGGESTION, DELTA_CONFLICT_SET_COLUMN and the classes of
/// assignments.
Result<BoundMerge> BindUpdate(Analyzer& analyzer, const plan::Update& update,
                              const SessionConf& conf);

/// Bind a DELETE: a merge of one matched clause without a source.
Result<BoundMerge> BindDelete(Analyzer& analyzer, const plan::Delete& command,
                              const SessionConf& conf);

}  // namespace merganser
