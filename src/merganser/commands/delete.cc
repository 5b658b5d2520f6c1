#include "merganser/commands/delete.h"

#include "merganser/base/json.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/merge/execute_merge.h"
#include "merganser/commands/predicate_text.h"
#include "merganser/commands/row_condition.h"

namespace merganser {
namespace {

Operation DescribeDelete(const BoundMerge& merge, const MergeMetrics& metrics) {
  Operation operation;
  operation.name = "DELETE";
  Json predicate = Json::MakeArray();
  predicate.Append(merge.condition == nullptr ? "true" : PredicateText(merge.condition));
  operation.Encoded("predicate", predicate.Dump());
  operation.Metric("numDeletedRows", metrics.deleted())
      .Metric("numCopiedRows", metrics.copied)
      .Metric("numAddedFiles", metrics.files_added)
      .Metric("numAddedBytes", metrics.bytes_added)
      .Metric("numRemovedFiles", metrics.files_removed)
      .Metric("numRemovedBytes", metrics.bytes_removed)
      .Metric("numAddedChangeFiles", metrics.change_files_added)
      .Metric("numDeletionVectorsAdded", metrics.deletion_vectors_added)
      .Metric("numDeletionVectorsRemoved", metrics.deletion_vectors_removed)
      .Metric("numDeletionVectorsUpdated", metrics.deletion_vectors_updated)
      .Metric("executionTimeMs", metrics.execution_ms)
      .Metric("scanTimeMs", metrics.scan_ms)
      .Metric("rewriteTimeMs", metrics.rewrite_ms);
  return operation;
}

}  // namespace

Result<ResultSet> RunDelete(StatementContext& context, const plan::Delete& command) {
  const MergeBinder bind = [&](Analyzer& analyzer) -> Result<BoundMerge> {
    MERGANSER_ASSIGN_OR_RETURN(BoundMerge change, BindDelete(analyzer, command, context.conf));
    MERGANSER_RETURN_IF_ERROR(CheckRowExpressions(change, "DELETE"));
    return change;
  };
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<MergeMetrics> metrics,
                             ExecuteMerge(context, RowOperation::kDelete, bind, DescribeDelete));
  return CommandResult(context, StructType({{"num_affected_rows", DataType::Long(), true, {}}}),
                       {{metrics ? metrics->deleted() : 0}});
}

}  // namespace merganser
