#include "merganser/commands/update.h"

#include "merganser/base/json.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/merge/execute_merge.h"
#include "merganser/commands/predicate_text.h"
#include "merganser/commands/row_condition.h"

namespace merganser {
namespace {

Operation DescribeUpdate(const BoundMerge& merge, const MergeMetrics& metrics) {
  Operation operation;
  operation.name = "UPDATE";
  Json predicate = Json::MakeArray();
  if (merge.condition != nullptr) predicate.Append(PredicateText(merge.condition));
  operation.Encoded("predicate", predicate.Dump());
  operation.Metric("numUpdatedRows", metrics.updated())
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

Result<ResultSet> RunUpdate(StatementContext& context, const plan::Update& command) {
  const MergeBinder bind = [&](Analyzer& analyzer) -> Result<BoundMerge> {
    MERGANSER_ASSIGN_OR_RETURN(BoundMerge change, BindUpdate(analyzer, command, context.conf));
    MERGANSER_RETURN_IF_ERROR(CheckRowExpressions(change, "UPDATE"));
    return change;
  };
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<MergeMetrics> metrics,
                             ExecuteMerge(context, RowOperation::kUpdate, bind, DescribeUpdate));
  return CommandResult(context, StructType({{"num_affected_rows", DataType::Long(), true, {}}}),
                       {{metrics ? metrics->updated() : 0}});
}

}  // namespace merganser
