#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/row_checks.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/commands/write_target.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// A condition that every written row must satisfy, beside the table's own constraints.
struct RowCondition {
  BoundExpressionPtr condition;  ///< Over the columns of the rows.
  Error error;                   ///< Raised for a row for which it is not true.
};

/// Rows for a table.
struct RowsToWrite {
  BoundRelationPtr rows;  ///< Columns are those of the target's schema, in order and of its types.
  /// Generated columns whose values come from their own expressions.
  std::set<std::string> computed = {};
  std::vector<RowCondition> conditions = {};
  /// Write each row to a change file as well, as an insert.
  bool change_rows = false;
};

/// Rows written and the files that hold them.
struct WrittenRows {
  std::vector<AddFile> files;
  std::vector<AddCdcFile> change_files;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;  ///< Of data files.
};

/// Write rows as new data files. Constraints are checked. Fails as engine::RunSink and RowChecks.
Result<WrittenRows> WriteRows(StatementContext& context, const RowsToWrite& rows,
                              const WriteTarget& target, UncommittedFiles& files);

}  // namespace merganser
