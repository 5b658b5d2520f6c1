#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/target_table.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// OPTIMIZE: small files of a partition become large ones; with ZORDER BY, and for clustered
/// tables, rows are also put in an order in which files can be told apart. No row changes. Gives
/// one row: path and metrics.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, DELTA_NON_PARTITION_COLUMN_REFERENCE,
/// DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST, DELTA_ZORDERING_ON_PARTITION_COLUMN,
/// DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS, DELTA_CLUSTERING_WITH_ZORDER_BY,
/// DELTA_CLUSTERING_WITH_PARTITION_PREDICATE and DELTA_OPTIMIZE_FULL_NOT_SUPPORTED.
Result<ResultSet> RunOptimize(StatementContext& context, const plan::Optimize& command);

/// REORG TABLE ... APPLY (PURGE): files with deletion vectors are rewritten without the deleted
/// rows. Fails likewise.
Result<ResultSet> RunReorgPurge(StatementContext& context, const plan::ReorgPurge& command);

/// Rewrite the files of `target` that hold columns of types that the table has widened since. Fails
/// as RunReorgPurge.
Status RewriteOldTypes(StatementContext& context, const TargetTable& target);

}  // namespace merganser
