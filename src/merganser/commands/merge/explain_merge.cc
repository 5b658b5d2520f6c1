#include "merganser/commands/merge/explain_merge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/clause_names.h"
#include "merganser/commands/merge/execute_merge.h"
#include "merganser/commands/merge/merge_operation.h"
#include "merganser/commands/merge/write_phase.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/table/file_pruning.h"

namespace merganser {
namespace {

std::string Count(int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

int64_t BytesOf(const std::vector<FileView>& files) {
  int64_t bytes = 0;
  for (const FileView& file : files) bytes += file.size();
  return bytes;
}

/// Files and bytes that the statement has to write, by the sizes of the files that it touches.
struct WriteEstimate {
  int64_t copied_rows = 0;
  int64_t bytes = 0;
  bool is_exact = true;  ///< False if a file does not say how many rows it has.
};

WriteEstimate EstimateWrite(const MatchResult& match, const Snapshot& snapshot,
                            bool deletion_vectors) {
  WriteEstimate estimate;
  double row_bytes = 0;
  for (const TouchedFile& touched : match.files) {
    const auto records = ParseNumRecords(touched.file.stats());
    if (!records || *records == 0) {
      estimate.is_exact = false;
      estimate.bytes += touched.file.size();
      continue;
    }
    int64_t live = *records;
    if (const auto vector = touched.file.deletion_vector()) live -= vector->cardinality;
    row_bytes = static_cast<double>(touched.file.size()) / static_cast<double>(*records);
    const int64_t copied = deletion_vectors ? 0 : live - touched.acted;
    const int64_t updated = touched.acted - touched.deleted;
    estimate.copied_rows += copied;
    estimate.bytes += static_cast<int64_t>(row_bytes * static_cast<double>(copied + updated));
  }
  if (row_bytes == 0) {
    const auto rows = CountRows(snapshot);
    if (rows && *rows > 0)
      row_bytes = static_cast<double>(snapshot.size_in_bytes()) / static_cast<double>(*rows);
  }
  estimate.bytes += static_cast<int64_t>(row_bytes * static_cast<double>(match.inserts));
  return estimate;
}

std::string TargetLines(const BoundMerge& merge, const MatchResult& match) {
  const Snapshot& snapshot = *merge.snapshot;
  const FileSelection all = PruneFiles(snapshot, {});
  const auto read = static_cast<int64_t>(match.candidates.size());
  const auto total = static_cast<int64_t>(all.total_files);
  std::string text =
      fmt::format("Target: version {}, {}, {} bytes\n", snapshot.version().ToString(),
                  Count(total, "file"), all.total_bytes);
  text += fmt::format("Files: {} read ({} bytes), {} pruned\n", read, BytesOf(match.candidates),
                      total - read);
  for (const ColumnPredicate& conjunct : match.read_predicate.conjuncts) {
    const FilePredicate alone{.conjuncts = {conjunct}};
    const auto kept = static_cast<int64_t>(PruneFiles(snapshot, alone).files.size());
    const bool partition = snapshot.is_partition_column(conjunct.column[0]);
    text += fmt::format("  {} ({}): rules out {}\n", ToString(alone),
                        partition ? "partition values" : "statistics", total - kept);
  }
  if (!merge.not_matched_by_source.empty())
    text += "  none can be pruned: NOT MATCHED BY SOURCE is about rows that match nothing\n";
  return text;
}

std::string SourceLines(const BoundMerge& merge, const MergeMetrics& metrics) {
  std::string text = fmt::format("Source: {}, evaluated once\n", Count(metrics.source_rows, "row"));
  if (!merge.ignored_source_columns.empty()) {
    text += fmt::format("  ignored columns (no schema evolution): {}\n",
                        fmt::join(merge.ignored_source_columns, ", "));
  }
  return text;
}

std::string SchemaLines(const BoundMerge& merge) {
  if (!merge.schema_changed) return {};
  std::string text = "Schema evolution:\n";
  for (size_t i = 0; i < merge.schema.size(); ++i) {
    const StructField& field = merge.schema[i];
    const bool is_new = i >= merge.snapshot->schema().size();
    if (is_new) {
      text += fmt::format("  adds {} {}\n", field.name, field.type.SqlString());
    } else if (!(field.type == merge.snapshot->schema()[i].type)) {
      text += fmt::format("  changes {} from {} to {}\n", field.name,
                          merge.snapshot->schema()[i].type.SqlString(), field.type.SqlString());
    }
  }
  return text;
}

std::string JoinLine(const BoundMerge& merge) {
  const bool full = !merge.not_matched_by_source.empty();
  return fmt::format("Join: target {} OUTER JOIN source ON {}\n", full ? "FULL" : "RIGHT",
                     PrintSql(*merge.condition));
}

std::string ClauseLines(const BoundMerge& merge, const MatchResult& match) {
  std::string text = "Clauses:\n";
  for (int number = 0; number < ClauseNumbers(merge).end; ++number) {
    const BoundClause& clause = ClauseAt(merge, number);
    const std::string condition =
        clause.condition == nullptr ? "" : fmt::format(" if {}", PrintSql(*clause.condition));
    text += fmt::format("  {} {}{}: {}\n", ClauseName(merge, number), ActionName(clause.action),
                        condition, Count(match.clause_rows[static_cast<size_t>(number)], "row"));
  }
  return text;
}

std::string WriteLines(const BoundMerge& merge, const MatchResult& match, bool deletion_vectors) {
  const WriteEstimate estimate = EstimateWrite(match, *merge.snapshot, deletion_vectors);
  std::vector<FileView> touched;
  for (const TouchedFile& file : match.files) touched.push_back(file.file);
  std::string text = fmt::format(
      "Write: {} {} ({} bytes), {} copied\n",
      deletion_vectors ? "deletion vectors for" : "rewrite of",
      Count(static_cast<int64_t>(touched.size()), "file"), BytesOf(touched),
      estimate.is_exact ? Count(estimate.copied_rows, "row") : std::string("unknown rows"));
  return text + fmt::format("  about {} bytes of data files\n", estimate.bytes);
}

/// What a rewrite takes over as bytes; a plan that cannot be made says nothing.
std::string TakeoverLine(StatementScans& scans, const BoundMerge& merge, const MatchResult& match) {
  const auto estimate = EstimateTakeover(scans, merge, match);
  if (!estimate.ok() || estimate->bytes == 0) return {};
  if (estimate->columns > 0) {
    return fmt::format("  {} written, all others taken over as {} bytes\n",
                       Count(estimate->columns, "column"), estimate->bytes);
  }
  return fmt::format("  {} taken over as {} bytes\n", Count(estimate->row_groups, "row group"),
                     estimate->bytes);
}

std::string DoneLines(const MergeMetrics& metrics) {
  return fmt::format(
      "Done: {} updated, {} deleted, {} inserted, {} copied\n"
      "  files: {} added ({} bytes), {} removed ({} bytes), {} of changes; deletion vectors: {} "
      "added, {} removed\n"
      "  time: {} ms (source {} ms, match {} ms, write {} ms)\n",
      Count(metrics.updated(), "row"), metrics.deleted(), metrics.inserted, metrics.copied,
      metrics.files_added, metrics.bytes_added, metrics.files_removed, metrics.bytes_removed,
      metrics.change_files_added, metrics.deletion_vectors_added, metrics.deletion_vectors_removed,
      metrics.execution_ms, metrics.materialize_source_ms, metrics.scan_ms, metrics.rewrite_ms);
}

std::string Explanation(StatementContext& context, const BoundMerge& merge,
                        const MatchResult& match, const MergeMetrics& metrics) {
  StatementScans scans(context);
  const bool deletion_vectors =
      WritesDeletionVectors(context, *merge.snapshot, RowOperation::kMerge);
  return TargetLines(merge, match) + SourceLines(merge, metrics) + SchemaLines(merge) +
         JoinLine(merge) + ClauseLines(merge, match) + WriteLines(merge, match, deletion_vectors) +
         (deletion_vectors ? std::string() : TakeoverLine(scans, merge, match));
}

}  // namespace

Result<std::string> ExplainMerge(StatementContext& context, const plan::MergeInto& command,
                                 bool analyze) {
  std::string text = "== MERGE ==\n";
  if (!analyze || command.dry_run) {
    const auto analyzer = context.MakeAnalyzer();
    MERGANSER_ASSIGN_OR_RETURN(const BoundMerge merge, BindMerge(*analyzer, command, context.conf));
    StatementScans scans(context);
    MergeMetrics metrics;
    MERGANSER_ASSIGN_OR_RETURN(const MatchResult match,
                               RunMatchPhase(context, scans, merge, metrics));
    return text + Explanation(context, merge, match, metrics);
  }
  std::string plan;
  const MergeBinder bind = [&](Analyzer& analyzer) {
    return BindMerge(analyzer, command, context.conf);
  };
  const MatchObserver observe = [&](const BoundMerge& merge, const MatchResult& match,
                                    const MergeMetrics& metrics) {
    plan = Explanation(context, merge, match, metrics);
  };
  MERGANSER_ASSIGN_OR_RETURN(const auto metrics, ExecuteMerge(context, RowOperation::kMerge, bind,
                                                              DescribeMerge, observe));
  if (!metrics) return text + "Nothing to do: the session's txnVersion was applied before\n";
  return text + plan + DoneLines(*metrics);
}

}  // namespace merganser
