#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/delta/transaction/transaction.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// What an overwriting INSERT takes out of a table.
struct RowReplacement {
  std::vector<RemoveFile> removed;
  std::vector<AddFile> kept;  ///< New files with the rows of removed ones that stay.
  std::vector<AddCdcFile> change_files;
  /// What the replaced rows, and those that replace them, satisfy; null if all rows go.
  BoundExpressionPtr condition;
  bool by_condition = false;
  int64_t deleted_rows = 0;
  int64_t copied_rows = 0;
  int64_t removed_bytes = 0;
};

/// All rows.
RowReplacement ReplaceAll(const StatementContext& context, const Snapshot& snapshot,
                          Transaction& transaction);

/// The rows of `target` that satisfy `condition`. Where partition values decide, whole files go;
/// else files with such rows are rewritten without them, or marked in deletion vectors. Fails with
/// the errors of binding and evaluating the condition, DELTA_UNSUPPORTED_SUBQUERY.
Result<RowReplacement> ReplaceWhere(StatementContext& context, Analyzer& analyzer,
                                    const plan::MultipartName& target,
                                    const plan::ExpressionPtr& condition, Transaction& transaction,
                                    UncommittedFiles& files);

/// The rows whose columns `keys` (positions in the schema) equal those of one of `rows`, which has
/// the columns of the table. Fails with the errors of evaluating `rows`.
Result<RowReplacement> ReplaceMatching(StatementContext& context, Analyzer& analyzer,
                                       const SnapshotRef& snapshot, const BoundRelationPtr& rows,
                                       const std::vector<size_t>& keys, Transaction& transaction,
                                       UncommittedFiles& files);

/// The files of the partitions that `written` has files in.
/// Fails with DELTA_FAILED_CAST_PARTITION_VALUE if a value does not fit its column.
Result<RowReplacement> ReplacePartitionsOf(const StatementContext& context,
                                           const Snapshot& snapshot,
                                           const std::vector<AddFile>& written,
                                           Transaction& transaction);

}  // namespace merganser
