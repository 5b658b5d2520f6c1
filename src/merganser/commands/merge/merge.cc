#include "merganser/commands/merge/merge.h"

#include <fmt/format.h>

#include "merganser/commands/command_rows.h"
#include "merganser/commands/merge/execute_merge.h"
#include "merganser/commands/merge/merge_operation.h"
#include "merganser/commands/merge/preview_merge.h"

namespace merganser {
namespace {

void WarnOfIgnoredColumns(const StatementContext& context, const BoundMerge& merge) {
  if (merge.ignored_source_columns.empty()) return;
  context.warn(
      fmt::format("MERGE ignores these source columns, which the target does not have: {}. "
                  "WITH SCHEMA EVOLUTION would add them.",
                  fmt::join(merge.ignored_source_columns, ", ")));
}

}  // namespace

Result<ResultSet> RunMerge(StatementContext& context, const plan::MergeInto& command) {
  if (command.dry_run) return PreviewMerge(context, command);
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
