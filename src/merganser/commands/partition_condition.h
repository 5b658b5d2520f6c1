#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/target_table.h"
#include "merganser/delta/table/file_list.h"
#include "merganser/delta/table/file_predicate.h"

namespace merganser {

/// What a WHERE clause over partition columns chooses.
struct PartitionChoice {
  std::vector<FileView> files;  ///< All files without a clause.
  /// For conflict checks: no file outside of it is chosen. Empty without a clause.
  FilePredicate predicate;
  std::string text;  ///< As history shows it; empty without a clause.

  /// The parameter of a history entry: a JSON list of the text.
  std::string ForHistory() const;
};

/// Find the files of the partitions that satisfy the condition of OPTIMIZE or REORG (null: all).
/// Fails with DELTA_NON_PARTITION_COLUMN_REFERENCE, with DELTA_CLUSTERING_WITH_PARTITION_PREDICATE
/// for a clustered table, and with binding and run-time errors of the condition.
Result<PartitionChoice> ChoosePartitions(StatementContext& context, Analyzer& analyzer,
                                         const TargetTable& target,
                                         const plan::ExpressionPtr& condition);

}  // namespace merganser
