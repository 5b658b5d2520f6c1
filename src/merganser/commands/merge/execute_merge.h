#pragma once

#include <functional>
#include <optional>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/merge_metrics.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/transaction/operation.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// The statement that a bound merge came from: which settings and names apply.
enum class RowOperation : uint8_t { kMerge, kUpdate, kDelete };

/// Binds the statement against the newest snapshot; called again when a conflicting commit makes it
/// start over.
using MergeBinder = std::function<Result<BoundMerge>(Analyzer& analyzer)>;
/// Describes the commit.
using OperationDescriber =
    std::function<Operation(const BoundMerge& merge, const MergeMetrics& metrics)>;

/// Sees what the match phase found, before anything is written; for EXPLAIN ANALYZE. Called again
/// when the statement starts over.
using MatchObserver = std::function<void(const BoundMerge& merge, const MatchResult& match,
                                         const MergeMetrics& metrics)>;

/// Does the statement mark deleted rows in deletion vectors, instead of rewriting files?
bool WritesDeletionVectors(const StatementContext& context, const Snapshot& snapshot,
                           RowOperation operation);

/// Run a MERGE, UPDATE or DELETE to its commit: match, write, commit as one transaction. A conflict
/// with a concurrent commit starts it over from the new snapshot, a bounded number of times
/// (spark.databricks.delta.maxCommitAttempts is the transaction's own bound).
///
/// A statement that changes nothing still commits, without file actions (DESIGN 2); an UPDATE or
/// DELETE does not. Fails with the errors of its phases and of Transaction::Commit; the table is
/// then as it was.
///
/// Returns nothing if the session's txnAppId and txnVersion say that it was applied before: then
/// nothing is done.
Result<std::optional<MergeMetrics>> ExecuteMerge(StatementContext& context, RowOperation operation,
                                                 const MergeBinder& bind,
                                                 const OperationDescriber& describe,
                                                 const MatchObserver& observe = {});

}  // namespace merganser
