#include "merganser/commands/merge/match_phase.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/multi_match.h"
#include "merganser/commands/merge/source_rows.h"
#include "merganser/delta/table/file_pruning.h"
#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/file_predicates.h"

namespace merganser {
namespace {

ColumnNames TargetNames(const BoundMerge& merge) {
  return [&merge](ColumnId id) -> std::vector<std::string> {
    for (const BoundColumn& column : merge.target_columns) {
      if (column.id == id) return {column.name};
    }
    return {};
  };
}

/// The rows of the target that can matter. With NOT MATCHED BY SOURCE, rows that match nothing
/// matter too, so that nothing of ON may narrow them.
Result<FilePredicate> ReadPredicate(StatementContext& context, StatementScans& scans,
                                    const BoundMerge& merge) {
  if (!merge.not_matched_by_source.empty()) return FilePredicate();
  FilePredicate predicate = ToFilePredicate(SplitConjuncts(merge.condition), TargetNames(merge));
  if (merge.source != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(FilePredicate bounds, SourceKeyBounds(context, scans, merge));
    std::ranges::move(bounds.conjuncts, std::back_inserter(predicate.conjuncts));
  }
  return predicate;
}

/// SQL of the rows to act on, before the check for ambiguity.
Result<std::string> MatchSelect(const BoundMerge& merge, const std::string& scan,
                                const LoweringContext& lowering, bool keep_all_matches) {
  const ClauseNumbers numbers(merge);
  MERGANSER_ASSIGN_OR_RETURN(const std::string matched,
                             FirstTrueClause(merge.matched, 0, lowering));
  std::string condition = "TRUE";
  if (merge.condition != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(condition, LowerExpression(*merge.condition, lowering));
  }
  const std::string target = TargetSelect(scan, merge);
  if (merge.source == nullptr) {
    return fmt::format(
        "SELECT CAST(file_index AS BIGINT) AS f, file_row_number AS r, CAST(NULL AS BIGINT) AS s, "
        "{} AS c "
        "FROM ({}) AS target WHERE {}",
        matched, target, condition);
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::string not_matched,
                             FirstTrueClause(merge.not_matched, numbers.not_matched, lowering));
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string by_source,
      FirstTrueClause(merge.not_matched_by_source, numbers.not_matched_by_source, lowering));
  const bool full = !merge.not_matched_by_source.empty();
  // Source on the build side: its keys then prune files and row groups of the scan
  // (spec/engine.md 1.2).
  const std::string joined = fmt::format(
      "SELECT CAST(file_index AS BIGINT) AS f, file_row_number AS r, source_row AS s, "
      "CASE WHEN file_row_number IS NULL THEN {} WHEN source_row IS NULL THEN {} ELSE {} END AS c "
      "FROM ({}) AS target {} JOIN (SELECT *, rowid AS source_row FROM {}) AS source ON {}",
      not_matched, by_source, matched, target, full ? "FULL" : "RIGHT", kSourceRows, condition);
  return fmt::format("SELECT * FROM ({}) AS matches WHERE c >= 0{}", joined,
                     keep_all_matches ? " OR (r IS NOT NULL AND s IS NOT NULL)" : "");
}

Status CountRows(StatementContext& context, const BoundMerge& merge, MatchResult& result,
                 MergeMetrics& metrics) {
  const ClauseNumbers numbers(merge);
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable counts,
      context.connection->QueryTable(
          fmt::format("SELECT CAST(c AS BIGINT), count(*) FROM {} GROUP BY c", kActions)));
  result.clause_rows.assign(static_cast<size_t>(numbers.end), 0);
  for (int64_t row = 0; row < counts.num_rows(); ++row) {
    const auto number = static_cast<int>(counts.Int64(row, 0));
    const int64_t rows = counts.Int64(row, 1);
    result.clause_rows[static_cast<size_t>(number)] = rows;
    if (number < numbers.not_matched) {
      const bool deletes =
          merge.matched[static_cast<size_t>(number)].action == plan::MergeActionKind::kDelete;
      (deletes ? metrics.matched_deleted : metrics.matched_updated) += rows;
    } else if (number < numbers.not_matched_by_source) {
      metrics.inserted += rows;
    } else {
      const auto& clause =
          merge.not_matched_by_source[static_cast<size_t>(number - numbers.not_matched_by_source)];
      const bool deletes = clause.action == plan::MergeActionKind::kDelete;
      (deletes ? metrics.not_matched_by_source_deleted : metrics.not_matched_by_source_updated) +=
          rows;
    }
  }
  result.inserts = metrics.inserted;
  return Status::Ok();
}

/// SQL list of the clause numbers that delete; "-1" if none does.
std::string DeletingClauses(const BoundMerge& merge) {
  const ClauseNumbers numbers(merge);
  std::string list = "-1";
  for (size_t i = 0; i < merge.matched.size(); ++i) {
    if (merge.matched[i].action == plan::MergeActionKind::kDelete) list += fmt::format(", {}", i);
  }
  for (size_t i = 0; i < merge.not_matched_by_source.size(); ++i) {
    if (merge.not_matched_by_source[i].action == plan::MergeActionKind::kDelete) {
      list += fmt::format(", {}", numbers.not_matched_by_source + static_cast<int>(i));
    }
  }
  return list;
}

Status FindTouchedFiles(StatementContext& context, const BoundMerge& merge, MatchResult& result) {
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable touched,
                             context.connection->QueryTable(fmt::format(
                                 "SELECT f, count(*), count(*) FILTER (c IN ({})) FROM {} "
                                 "WHERE r IS NOT NULL GROUP BY f ORDER BY f",
                                 DeletingClauses(merge), kActions)));
  for (int64_t row = 0; row < touched.num_rows(); ++row) {
    const auto index = static_cast<size_t>(touched.Int64(row, 0));
    result.files.push_back(
        {result.candidates[index], touched.Int64(row, 1), touched.Int64(row, 2)});
  }
  // From here on files are numbered by their place among the touched ones.
  MERGANSER_RETURN_IF_ERROR(context.connection->Execute(fmt::format(
      "CREATE OR REPLACE TEMP TABLE {0} AS "
      "SELECT dense_rank() OVER (ORDER BY f) - 1 AS f, r, s, c FROM {0} WHERE r IS NOT NULL "
      "UNION ALL SELECT f, r, s, c FROM {0} WHERE r IS NULL",
      kActions)));
  return Status::Ok();
}

int64_t MillisSince(const StatementContext& context, int64_t start) {
  return context.clock.NowMillis() - start;
}

}  // namespace

std::string TargetSelect(const std::string& scan, const BoundMerge& merge,
                         const std::string& more) {
  std::string select = fmt::format("SELECT {} AS file_index, {} AS file_row_number",
                                   engine::kFileIndexColumn, engine::kFileRowNumberColumn);
  for (const BoundColumn& column : merge.target_columns) {
    select +=
        fmt::format(", {} AS {}", engine::QuoteIdentifier(column.name), EngineColumn(column.id));
  }
  return select + more + " FROM " + scan + " AS scan";
}

Result<std::string> FirstTrueClause(const std::vector<BoundClause>& clauses, int first_number,
                                    const LoweringContext& lowering) {
  if (clauses.empty()) return std::string("-1");
  std::string sql = "CASE";
  for (size_t i = 0; i < clauses.size(); ++i) {
    std::string condition = "TRUE";
    if (clauses[i].condition != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(condition, LowerExpression(*clauses[i].condition, lowering));
    }
    sql += fmt::format(" WHEN {} THEN {}", condition, first_number + static_cast<int>(i));
  }
  return sql + " ELSE -1 END";
}

Result<MatchResult> RunMatchPhase(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge, MergeMetrics& metrics) {
  int64_t start = context.clock.NowMillis();
  if (merge.source != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(metrics.source_rows, MaterializeSource(context, scans, merge));
    metrics.materialize_source_ms = std::max<int64_t>(1, MillisSince(context, start));
  }
  start = context.clock.NowMillis();

  MatchResult result;
  MERGANSER_ASSIGN_OR_RETURN(result.read_predicate, ReadPredicate(context, scans, merge));
  result.read_whole_table = !merge.not_matched_by_source.empty() || result.read_predicate.empty();
  result.candidates = PruneFiles(*merge.snapshot, result.read_predicate).files;

  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*merge.snapshot, result.candidates));
  const std::string scan = scans.Register(std::move(source));
  const MultiMatchRule rule = context.conf.multi_match_rule();
  MERGANSER_ASSIGN_OR_RETURN(
      const std::string select,
      MatchSelect(merge, scan, scans.lowering(),
                  rule == MultiMatchRule::kOn && IsCheckedOnMatches(context, merge)));
  MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
      fmt::format("CREATE OR REPLACE TEMP TABLE {} AS {}", kActions, select)));
  MERGANSER_RETURN_IF_ERROR(ResolveMultiMatches(context, scans, merge, scan, rule));
  MERGANSER_RETURN_IF_ERROR(CountRows(context, merge, result, metrics));
  MERGANSER_RETURN_IF_ERROR(FindTouchedFiles(context, merge, result));
  metrics.scan_ms = std::max<int64_t>(1, MillisSince(context, start));
  return result;
}

}  // namespace merganser
