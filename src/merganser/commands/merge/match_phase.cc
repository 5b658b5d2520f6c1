#include "merganser/commands/merge/match_phase.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/acted_rows.h"
#include "merganser/commands/merge/clause_names.h"
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
Result<SourceKeys> ReadKeys(StatementContext& context, StatementScans& scans,
                            const BoundMerge& merge, int64_t source_rows) {
  SourceKeys keys;
  if (!merge.not_matched_by_source.empty()) return keys;
  FilePredicate predicate = ToFilePredicate(SplitConjuncts(merge.condition), TargetNames(merge));
  if (merge.source != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(keys, SummarizeSourceKeys(context, scans, merge, source_rows));
  }
  std::ranges::move(keys.predicate.conjuncts, std::back_inserter(predicate.conjuncts));
  keys.predicate = std::move(predicate);
  return keys;
}

/// Is it known whether one of the clauses acts? Where a MERGE has matched clauses only, the
/// reference does not count pairs of rows for which it is not.
Result<std::string> KnownCondition(const std::vector<BoundClause>& clauses,
                                   const LoweringContext& lowering) {
  std::string any;
  for (const BoundClause& clause : clauses) {
    std::string condition = "TRUE";
    if (clause.condition != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(condition, LowerExpression(*clause.condition, lowering));
    }
    any += (any.empty() ? "(" : " OR (") + condition + ")";
  }
  return any.empty() ? "TRUE" : "(" + any + ") IS NOT NULL";
}

/// SQL of the rows to act on, before the check for ambiguity.
Result<std::string> MatchSelect(const BoundMerge& merge, const std::string& scan,
                                const LoweringContext& lowering, bool keep_all_matches) {
  const ClauseNumbers numbers(merge);
  MERGANSER_ASSIGN_OR_RETURN(const std::string matched,
                             FirstTrueClause(merge.matched, 0, lowering));
  std::string condition = "TRUE";
  if (merge.condition != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(
        condition, LowerRowCondition(*merge.condition, {merge.target_columns}, lowering));
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
  std::string counted = "TRUE";
  if (keep_all_matches && merge.not_matched.empty() && !full) {
    MERGANSER_ASSIGN_OR_RETURN(counted, KnownCondition(merge.matched, lowering));
  }
  // Source on the build side: its keys then prune files and row groups of the scan
  // (spec/engine.md 1.2).
  const std::string joined = fmt::format(
      "SELECT CAST(file_index AS BIGINT) AS f, file_row_number AS r, source_row AS s, "
      "CASE WHEN file_row_number IS NULL THEN {} WHEN source_row IS NULL THEN {} ELSE {} END AS c, "
      "{} AS counted "
      "FROM ({}) AS target {} JOIN {} AS source ON {}",
      not_matched, by_source, matched, counted, target, full ? "FULL" : "RIGHT", kSourceRows,
      condition);
  return fmt::format("SELECT f, r, s, c FROM ({}) AS matches WHERE c >= 0{}", joined,
                     keep_all_matches ? " OR (r IS NOT NULL AND s IS NOT NULL AND counted)" : "");
}

/// Count the rows by clause, and those that clauses delete by file.
Result<std::map<int64_t, int64_t>> CountRows(StatementContext& context, const BoundMerge& merge,
                                             MatchResult& result, MergeMetrics& metrics) {
  std::map<int64_t, int64_t> deleted_by_file;
  const ClauseNumbers numbers(merge);
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable counts,
      context.connection->QueryTable(fmt::format(
          "SELECT CAST(c AS BIGINT), f, count(*) FROM {} WHERE c >= 0 GROUP BY c, f", kActions)));
  result.clause_rows.assign(static_cast<size_t>(numbers.end), 0);
  for (int64_t row = 0; row < counts.num_rows(); ++row) {
    const auto number = static_cast<int>(counts.Int64(row, 0));
    const int64_t rows = counts.Int64(row, 2);
    result.clause_rows[static_cast<size_t>(number)] += rows;
    if (counts.IsNull(row, 1)) {
      metrics.inserted += rows;
      continue;
    }
    const bool is_matched = number < numbers.not_matched;
    const bool deletes = ClauseAt(merge, number).action == plan::MergeActionKind::kDelete;
    if (deletes) deleted_by_file[counts.Int64(row, 1)] += rows;
    if (is_matched) {
      (deletes ? metrics.matched_deleted : metrics.matched_updated) += rows;
    } else {
      (deletes ? metrics.not_matched_by_source_deleted : metrics.not_matched_by_source_updated) +=
          rows;
    }
  }
  result.inserts = metrics.inserted;
  return deleted_by_file;
}

void FindTouchedFiles(ActedRows rows, std::map<int64_t, int64_t> deleted, MatchResult& result) {
  for (size_t i = 0; i < rows.acted.size(); ++i) {
    if (rows.acted[i].empty()) continue;
    const auto number = static_cast<int64_t>(i);
    const auto acted = static_cast<int64_t>(rows.acted[i].cardinality());
    result.files.push_back({result.candidates[i], number,
                            std::make_shared<const DeletionVector>(std::move(rows.acted[i])), acted,
                            deleted[number]});
  }
}

/// Fill the table of actions. Under the rule of ON alone, a row that several source rows match is
/// an error whatever the conditions say, also if one of them fails.
Status FillActions(StatementContext& context, StatementScans& scans, const BoundMerge& merge,
                   const std::string& scan, MultiMatchRule rule) {
  const bool counts_all = rule == MultiMatchRule::kOn && IsCheckedOnMatches(context, merge);
  const auto fill = [&](const BoundMerge& clauses) -> Status {
    MERGANSER_ASSIGN_OR_RETURN(const std::string select,
                               MatchSelect(clauses, scan, scans.lowering(), counts_all));
    MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
        fmt::format("CREATE OR REPLACE TEMP TABLE {} AS {}", kActions, select)));
    return Status::Ok();
  };
  Status filled = fill(merge);
  const bool has_other_families =
      !merge.not_matched.empty() || !merge.not_matched_by_source.empty();
  if (filled.ok() || !counts_all || !has_other_families ||
      filled.error().kind() != ErrorKind::kUser)
    return filled;
  BoundMerge pairs = merge;
  pairs.matched.clear();
  pairs.not_matched.clear();
  pairs.not_matched_by_source.clear();
  if (!fill(pairs).ok()) return filled;
  MERGANSER_RETURN_IF_ERROR(ResolveMultiMatches(context, scans, merge, scan, rule));
  return filled;
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
  MERGANSER_ASSIGN_OR_RETURN(SourceKeys keys, ReadKeys(context, scans, merge, metrics.source_rows));
  result.read_predicate = std::move(keys.predicate);
  result.read_whole_table = !merge.not_matched_by_source.empty() || result.read_predicate.empty();
  result.candidates = PruneFiles(*merge.snapshot, result.read_predicate).files;

  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*merge.snapshot, result.candidates));
  source->key_sets = std::move(keys.sets);
  const std::string scan = scans.Register(std::move(source));
  const MultiMatchRule rule = context.conf.multi_match_rule();
  MERGANSER_RETURN_IF_ERROR(FillActions(context, scans, merge, scan, rule));
  MERGANSER_ASSIGN_OR_RETURN(ActedRows rows, ReadActedRows(context, result.candidates.size()));
  if (rows.has_duplicates) {
    MERGANSER_RETURN_IF_ERROR(ResolveMultiMatches(context, scans, merge, scan, rule));
    MERGANSER_ASSIGN_OR_RETURN(rows, ReadActedRows(context, result.candidates.size()));
  }
  MERGANSER_ASSIGN_OR_RETURN(auto deleted, CountRows(context, merge, result, metrics));
  FindTouchedFiles(std::move(rows), std::move(deleted), result);
  metrics.scan_ms = std::max<int64_t>(1, MillisSince(context, start));
  return result;
}

}  // namespace merganser
