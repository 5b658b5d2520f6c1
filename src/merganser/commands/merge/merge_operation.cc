#include "merganser/commands/merge/merge_operation.h"

#include "merganser/base/json.h"
#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/predicate_text.h"

namespace merganser {
namespace {

std::string ClausesJson(const std::vector<BoundClause>& clauses) {
  Json list = Json::MakeArray();
  for (const BoundClause& clause : clauses) {
    Json entry = Json::MakeObject();
    if (clause.condition != nullptr) entry["predicate"] = PredicateText(clause.condition);
    entry["actionType"] = ActionName(clause.action);
    list.Append(std::move(entry));
  }
  return list.Dump();
}

}  // namespace

Operation DescribeMerge(const BoundMerge& merge, const MergeMetrics& metrics) {
  Operation operation;
  operation.name = "MERGE";
  Json predicate = Json::MakeArray();
  predicate.Append(PredicateText(merge.condition));
  operation.Encoded("predicate", predicate.Dump())
      .Encoded("matchedPredicates", ClausesJson(merge.matched))
      .Encoded("notMatchedPredicates", ClausesJson(merge.not_matched))
      .Encoded("notMatchedBySourcePredicates", ClausesJson(merge.not_matched_by_source));
  operation.Metric("numSourceRows", metrics.source_rows)
      .Metric("numTargetRowsInserted", metrics.inserted)
      .Metric("numTargetRowsUpdated", metrics.updated())
      .Metric("numTargetRowsMatchedUpdated", metrics.matched_updated)
      .Metric("numTargetRowsNotMatchedBySourceUpdated", metrics.not_matched_by_source_updated)
      .Metric("numTargetRowsDeleted", metrics.deleted())
      .Metric("numTargetRowsMatchedDeleted", metrics.matched_deleted)
      .Metric("numTargetRowsNotMatchedBySourceDeleted", metrics.not_matched_by_source_deleted)
      .Metric("numTargetRowsCopied", metrics.copied)
      .Metric("numOutputRows", metrics.output_rows())
      .Metric("numTargetFilesAdded", metrics.files_added)
      .Metric("numTargetBytesAdded", metrics.bytes_added)
      .Metric("numTargetFilesRemoved", metrics.files_removed)
      .Metric("numTargetBytesRemoved", metrics.bytes_removed)
      .Metric("numTargetChangeFilesAdded", metrics.change_files_added)
      .Metric("numTargetDeletionVectorsAdded", metrics.deletion_vectors_added)
      .Metric("numTargetDeletionVectorsRemoved", metrics.deletion_vectors_removed)
      .Metric("numTargetDeletionVectorsUpdated", metrics.deletion_vectors_updated)
      .Metric("executionTimeMs", metrics.execution_ms)
      .Metric("materializeSourceTimeMs", metrics.materialize_source_ms)
      .Metric("scanTimeMs", metrics.scan_ms)
      .Metric("rewriteTimeMs", metrics.rewrite_ms);
  return operation;
}

}  // namespace merganser
