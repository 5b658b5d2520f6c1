#include "merganser/commands/merge/multi_match.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/ambiguous_rows.h"
#include "merganser/commands/merge/match_phase.h"

namespace merganser {
namespace {

bool IsUnconditionalDelete(const BoundClause& clause) {
  return clause.action == plan::MergeActionKind::kDelete && clause.condition == nullptr;
}

/// SQL condition on a group of rows of one target row under which several of them are harmless: all
/// of them delete, by the clause that needs no condition.
std::string HarmlessGroup(const BoundMerge& merge) {
  const auto clause = std::ranges::find_if(merge.matched, IsUnconditionalDelete);
  if (clause == merge.matched.end()) return "FALSE";
  const auto number = clause - merge.matched.begin();
  return fmt::format("(min(c) = {0} AND max(c) = {0})", number);
}

}  // namespace

bool IsCheckedOnMatches(const StatementContext& context, const BoundMerge& merge) {
  if (merge.source == nullptr) return false;
  const bool insert_only = merge.matched.empty() && merge.not_matched_by_source.empty();
  if (insert_only && context.conf.merge_optimize_insert_only()) return false;
  return !(merge.matched.size() == 1 && IsUnconditionalDelete(merge.matched[0]));
}

Status ResolveMultiMatches(StatementContext& context, StatementScans& scans,
                           const BoundMerge& merge, const std::string& scan, MultiMatchRule rule) {
  if (merge.source == nullptr) return Status::Ok();
  const bool on_rule = rule == MultiMatchRule::kOn;
  const bool checked = on_rule ? IsCheckedOnMatches(context, merge) : !merge.matched.empty();
  const std::string harmless = on_rule ? (checked ? "FALSE" : "TRUE") : HarmlessGroup(merge);
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable groups,
      context.connection->QueryTable(fmt::format(
          "SELECT count(*), count(*) FILTER (NOT harmless) FROM (SELECT {} AS harmless FROM {} "
          "WHERE r IS NOT NULL AND s IS NOT NULL GROUP BY f, r HAVING count(*) > 1) AS ambiguous",
          harmless, kActions)));
  if (checked && groups.Int64(0, 1) > 0) {
    MERGANSER_ASSIGN_OR_RETURN(std::string rows,
                               DescribeAmbiguousRows(context, scans, merge, scan, harmless));
    return Error(ErrorClass::DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE,
                 {{"matches", std::move(rows)}, {"usageReference", "docs/sql/merge.md"}});
  }
  if (groups.Int64(0, 0) > 0) {
    // A row that several source rows delete is deleted once.
    MERGANSER_RETURN_IF_ERROR(context.connection->Execute(fmt::format(
        "CREATE OR REPLACE TEMP TABLE {0} AS SELECT f, r, any_value(s) AS s, min(c) AS c FROM {0} "
        "WHERE r IS NOT NULL AND c >= 0 GROUP BY f, r "
        "UNION ALL SELECT f, r, s, c FROM {0} WHERE r IS NULL",
        kActions)));
  } else if (on_rule && checked) {
    MERGANSER_RETURN_IF_ERROR(
        context.connection->Execute(fmt::format("DELETE FROM {} WHERE c < 0", kActions)));
  }
  return Status::Ok();
}

}  // namespace merganser
