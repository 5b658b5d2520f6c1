#include "merganser/commands/merge/execute_merge.h"

#include <memory>
#include <utility>

#include "merganser/commands/commit.h"
#include "merganser/commands/constant_folding.h"
#include "merganser/commands/dependent_expressions.h"
#include "merganser/commands/merge/write_phase.h"
#include "merganser/commands/metadata_change.h"
#include "merganser/commands/write_options.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/analysis/identity_columns.h"

namespace merganser {
namespace {

/// Starts over from a newer snapshot before a conflict becomes the user's.
constexpr int kMaxRuns = 10;

/// The table with the columns that evolution adds.
Result<WriteTarget> EvolveTarget(const BoundMerge& merge, Transaction& transaction) {
  if (!merge.schema_changed) return WriteTarget::Of(*merge.snapshot);
  MERGANSER_RETURN_IF_ERROR(CheckTypeChanges(*merge.snapshot, merge.schema));
  return ChangeSchema(*merge.snapshot, merge.schema, transaction);
}

/// Keep in the schema of `target` how far identity columns have counted.
Status CountIdentities(const BoundMerge& merge, const MatchResult& match, Transaction& transaction,
                       WriteTarget& target) {
  bool is_changed = false;
  const ClauseNumbers numbers(merge);
  for (size_t i = 0; i < merge.not_matched.size(); ++i) {
    if (match.clause_rows[static_cast<size_t>(numbers.not_matched) + i] == 0) continue;
    for (const size_t position : merge.not_matched[i].numbered) {
      StructField& field = target.schema.fields()[position];
      // All inserted rows are counted, by whichever clause.
      MERGANSER_ASSIGN_OR_RETURN(const int64_t last,
                                 FindIdentity(merge.schema[position])->Last(match.inserts));
      SetHighWaterMark(field, last);
      is_changed = true;
    }
  }
  if (!is_changed) return Status::Ok();
  Metadata metadata = transaction.metadata();
  metadata.schema_string = ToSchemaJson(target.schema);
  transaction.SetMetadata(std::move(metadata));
  return Status::Ok();
}

void RecordReads(const BoundMerge& merge, const MatchResult& match, Transaction& transaction) {
  // Which source rows are inserted depends on the target rows that match them.
  if (merge.not_matched.empty()) transaction.ReadRowByRow();
  if (match.read_whole_table) {
    transaction.ReadWholeTable();
  } else {
    transaction.ReadPredicate(match.read_predicate);
  }
  for (const FileView& file : match.candidates) transaction.ReadFile(std::string(file.path()));
}

Result<std::optional<MergeMetrics>> RunOnce(StatementContext& context, RowOperation operation,
                                            const MergeBinder& bind,
                                            const OperationDescriber& describe,
                                            const MatchObserver& observe) {
  const int64_t start = context.clock.NowMillis();
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundMerge merge, bind(*analyzer));
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(merge.snapshot, context.transaction_options()));
  if (operation != RowOperation::kMerge) MERGANSER_RETURN_IF_ERROR(transaction.CheckRemovable());
  MERGANSER_ASSIGN_OR_RETURN(const WriteOptions options, ReadWriteOptions(context, {}));
  if (IsWrittenAlready(options, transaction)) return std::optional<MergeMetrics>();
  // What the table cannot become is told before any row is read.
  MERGANSER_ASSIGN_OR_RETURN(WriteTarget target, EvolveTarget(merge, transaction));
  MERGANSER_RETURN_IF_ERROR(FoldMatchConstants(context, merge));
  MergeMetrics metrics;
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const MatchResult match,
                             RunMatchPhase(context, scans, merge, metrics));
  MERGANSER_RETURN_IF_ERROR(FoldWriteConstants(context, merge));
  RecordReads(merge, match, transaction);
  if (observe) observe(merge, match, metrics);

  MERGANSER_RETURN_IF_ERROR(CountIdentities(merge, match, transaction, target));
  const bool deletion_vectors = WritesDeletionVectors(context, *merge.snapshot, operation);
  UncommittedFiles files(target.location.file_system);
  MERGANSER_ASSIGN_OR_RETURN(
      FileChanges changes,
      RunWritePhase(context, scans, merge, match, target, deletion_vectors, files, metrics));
  for (RemoveFile& file : changes.removed) transaction.Remove(std::move(file));
  for (AddFile& file : changes.added) transaction.Add(std::move(file));
  for (AddCdcFile& file : changes.change_files) transaction.AddChangeFile(std::move(file));
  metrics.execution_ms = context.clock.NowMillis() - start;
  if (operation != RowOperation::kMerge && !transaction.has_changes())
    return std::optional(metrics);

  MERGANSER_RETURN_IF_ERROR(
      CommitStatement(context, std::move(transaction), describe(merge, metrics), &files));
  return std::optional(metrics);
}

}  // namespace

bool WritesDeletionVectors(const StatementContext& context, const Snapshot& snapshot,
                           RowOperation operation) {
  if (!snapshot.properties().enable_deletion_vectors() || !snapshot.Supports("deletionVectors"))
    return false;
  switch (operation) {
    case RowOperation::kMerge:
      return context.conf.merge_deletion_vectors();
    case RowOperation::kUpdate:
      return context.conf.update_deletion_vectors();
    case RowOperation::kDelete:
      return context.conf.delete_deletion_vectors();
  }
  return false;
}

Result<std::optional<MergeMetrics>> ExecuteMerge(StatementContext& context, RowOperation operation,
                                                 const MergeBinder& bind,
                                                 const OperationDescriber& describe,
                                                 const MatchObserver& observe) {
  for (int run = 1;; ++run) {
    auto metrics = RunOnce(context, operation, bind, describe, observe);
    if (metrics.ok() || metrics.error().kind() != ErrorKind::kConflict || run >= kMaxRuns ||
        !context.conf.rerun_on_conflict()) {
      return metrics;
    }
  }
}

}  // namespace merganser
