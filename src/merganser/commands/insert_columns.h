#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// Which columns of a table the columns of an INSERT's query go to, before the query is bound.
struct InsertTargets {
  std::vector<size_t> positions;  ///< Of the schema's columns, in the query's order.
  std::vector<std::string>
      new_columns;  ///< Behind `positions`: listed columns that the table does not have yet.
  /// True if a column list, not the table, says how many columns the query must have.
  bool listed = false;
  /// PARTITION (column = value): position of the column and its value.
  std::vector<std::pair<size_t, plan::ExpressionPtr>> constants;
};

/// Work out where the columns of `command`'s query go, by position: the listed columns, or all but
/// those of the PARTITION clause that have a value. Not used BY NAME, except for the constants.
///
/// Fails with UNRESOLVED_COLUMN.WITH_SUGGESTION, COLUMN_ALREADY_EXISTS, NON_PARTITION_COLUMN and
/// STATIC_PARTITION_COLUMN_IN_INSERT_COLUMN_LIST.
Result<InsertTargets> FindInsertTargets(Analyzer& analyzer, const plan::InsertInto& command,
                                        const Snapshot& snapshot, bool evolution);

/// The values that an INSERT gives, by column of the table as it will be.
struct InsertColumns {
  StructType schema;  ///< After schema evolution.
  bool schema_changed = false;
  /// One entry a column of `schema`: the value before it is stored, null where the statement gives
  /// none.
  std::vector<BoundExpressionPtr> values;
  /// Structs are matched by the names of their fields, not by position.
  bool fields_by_name = false;
};

/// Match the columns of the bound `query` with the table's, and evolve the schema where that is on.
///
/// Fails with DELTA_INSERT_COLUMN_ARITY_MISMATCH (too few columns or fields),
/// DELTA_METADATA_MISMATCH (more than the table has), DELTA_MISSING_COLUMN-like classes BY NAME,
/// and DELTA_FAILED_TO_MERGE_FIELDS.
Result<InsertColumns> MatchInsertColumns(StatementContext& context, Analyzer& analyzer,
                                         const plan::InsertInto& command, const Snapshot& snapshot,
                                         const InsertTargets& targets, const BoundRelation& query,
                                         const std::string& table_name, bool evolution);

}  // namespace merganser
