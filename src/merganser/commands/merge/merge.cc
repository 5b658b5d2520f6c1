#include "merganser/commands/merge/merge.h"

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/merge/execute_merge.h"

namespace merganser {
namespace {

std::string_view ActionName(plan::MergeActionKind action) {
  switch (action) {
    case plan::MergeActionKind::kUpdate:
    case plan::MergeActionKind::kUpdateStar:
      return "update";
    case plan::MergeActionKind::kDelete:
      return "delete";
    case plan::MergeActionKind::kInsert:
    case plan::MergeActionKind::kInsertStar:
      return "insert";
  }
  return "";
}

std::string ClausesJson(const std::vector<BoundClause>& clauses) {
  Json list = Json::MakeArray();
  for (const BoundClause& clause : clauses) {
    Json entry = Json::MakeObject();
    if (clause.condition != nullptr) entry["predicate"] = PrintSql(*clause.condition);
    entry["actionType"] = ActionName(clause.action);
    list.Append(std::move(entry));
  }
  return list.Dump();
}

/// Commit information of a MERGE (spec/merge.md 9.2 and 9.4).
Operation DescribeMerge(const BoundMerge& merge, const MergeMetrics& metrics) {
  Operation operation;
  operation.name = "MERGE";
  Json predicate = Json::MakeArray();
  predicate.Append(PrintSql(*merge.condition));
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

void WarnOfIgnoredColumns(const StatementContext& context, const BoundMerge& merge) {
  if (merge.ignored_source_columns.empty()) return;
  context.warn(
      fmt::format("MERGE ignores these source columns, which the target does not have: {}. "
                  "WITH SCHEMA EVOLUTION would add them.",
                  fmt::join(merge.ignored_source_columns, ", ")));
}

}  // namespace

Result<ResultSet> RunMerge(StatementContext& context, const plan::MergeInto& command) {
  bool warned = false;
  const MergeBinder bind = [&](Analyzer& analyzer) -> Result<BoundMerge> {
    MERGANSER_ASSIGN_OR_RETURN(BoundMerge merge, BindMerge(analyzer, command, context.conf));
    if (!warned) WarnOfIgnoredColumns(context, merge);
    warned = true;
    return merge;
  };
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<MergeMetrics> metrics,
                             ExecuteMerge(context, RowOperation::kMerge, bind, DescribeMerge));
  const StructType schema({{"num_affected_rows", DataType::Long(), true, {}},
                           {"num_updated_rows", DataType::Long(), true, {}},
                           {"num_deleted_rows", DataType::Long(), true, {}},
                           {"num_inserted_rows", DataType::Long(), true, {}}});
  if (!metrics) return CommandResult(context, schema, {});
  return CommandResult(
      context, schema,
      {{metrics->affected(), metrics->updated(), metrics->deleted(), metrics->inserted}});
}

}  // namespace merganser
