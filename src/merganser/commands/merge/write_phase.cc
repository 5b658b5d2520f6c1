#include "merganser/commands/merge/write_phase.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/deletion_marks.h"
#include "merganser/commands/row_tracking_scan.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

std::vector<FileView> ViewsOf(const MatchResult& match) {
  std::vector<FileView> views;
  for (const TouchedFile& touched : match.files) views.push_back(touched.file);
  return views;
}

/// New values of the table's columns, under ids of their own.
std::vector<BoundColumn> OutputColumns(const BoundMerge& merge, ColumnId first_id) {
  std::vector<BoundColumn> columns;
  for (const StructField& field : merge.schema) {
    columns.push_back({first_id++, field.name, field.type, field.nullable, {}});
  }
  return columns;
}

/// Above every id that the statement has handed out.
ColumnId FirstFreeId(const BoundMerge& merge) {
  ColumnId highest = 0;
  for (const BoundColumn& column : merge.target_columns) highest = std::max(highest, column.id);
  if (merge.source != nullptr) {
    for (const BoundColumn& column : merge.source->columns) highest = std::max(highest, column.id);
  }
  return highest + 1'000'000;
}

std::string WithChecks(const std::string& rows, const std::vector<std::string>& checks) {
  if (checks.empty()) return rows;
  return fmt::format("SELECT * FROM ({}) AS routed WHERE route = {} OR ({})", rows,
                     static_cast<int>(RowRoute::kDeleted), fmt::join(checks, " AND "));
}

std::string PartitionOrder(const WriteTarget& target, const std::vector<BoundColumn>& output) {
  std::string order;
  for (size_t i = 0; i < output.size(); ++i) {
    if (std::ranges::find(target.partition_columns, target.schema[i].name) ==
        target.partition_columns.end())
      continue;
    order += (order.empty() ? " ORDER BY " : ", ") + EngineColumn(output[i].id);
  }
  return order;
}

/// Rows of the touched files that are live before the statement, by the log; nothing if a file does
/// not say.
std::optional<int64_t> LiveRows(const MatchResult& match) {
  int64_t rows = 0;
  for (const TouchedFile& touched : match.files) {
    const auto records = ParseNumRecords(touched.file.stats());
    if (!records) return std::nullopt;
    rows += *records;
    if (const auto vector = touched.file.deletion_vector()) rows -= vector->cardinality;
  }
  return rows;
}

Error RowMismatch(std::string_view what, int64_t expected, int64_t written) {
  return Error(ErrorClass::DELTA_NUM_RECORDS_MISMATCH,
               {{"operation", std::string(what)},
                {"numAddedRecords", std::to_string(written)},
                {"numRemovedRecords", std::to_string(expected)}});
}

/// No row may get lost or appear: what the sink saw and wrote against what the match phase counted.
Status CheckRowBalance(const engine::SinkResult& written, const MatchResult& match,
                       const MergeMetrics& metrics, bool copies) {
  const auto rows = [&](RowRoute route) { return written.route_rows[static_cast<size_t>(route)]; };
  if (rows(RowRoute::kUpdated) != metrics.updated()) {
    return RowMismatch("updated rows", metrics.updated(), rows(RowRoute::kUpdated));
  }
  if (rows(RowRoute::kInserted) != metrics.inserted) {
    return RowMismatch("inserted rows", metrics.inserted, rows(RowRoute::kInserted));
  }
  if (rows(RowRoute::kDeleted) != metrics.deleted()) {
    return RowMismatch("deleted rows", metrics.deleted(), rows(RowRoute::kDeleted));
  }
  const int64_t expected = rows(RowRoute::kCopied) + metrics.updated() + metrics.inserted;
  int64_t stored = 0;
  for (const engine::WrittenFile& file : written.files)
    stored += file.family == 0 ? file.num_records : 0;
  if (stored != expected) return RowMismatch("rows in data files", expected, stored);
  if (const auto live = LiveRows(match); copies && live) {
    const int64_t kept = *live - metrics.updated() - metrics.deleted();
    if (rows(RowRoute::kCopied) != kept)
      return RowMismatch("kept rows", kept, rows(RowRoute::kCopied));
  }
  return Status::Ok();
}

}  // namespace

Result<RoutedRows> SelectRoutedRows(StatementContext& context, StatementScans& scans,
                                    const BoundMerge& merge, const MatchResult& match,
                                    const WriteTarget& target, bool copies,
                                    const RowExtras& extras) {
  RoutedRows rows{.sql = {}, .columns = OutputColumns(merge, FirstFreeId(merge))};
  const LoweringContext lowering = scans.lowering();
  const RowSelect select(merge, rows.columns, lowering, extras);
  if (!match.files.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(*merge.snapshot, ViewsOf(match)));
    if (extras.tracking) AddRowTracking(ViewsOf(match), *extras.tracking, *source);
    MERGANSER_ASSIGN_OR_RETURN(rows.sql,
                               select.TargetRows(scans.Register(std::move(source)), copies));
  }
  // Also where there is nothing at all, for a SELECT without rows.
  if (match.inserts > 0 || rows.sql.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string inserted, select.InsertedRows());
    rows.sql += (rows.sql.empty() ? "" : " UNION ALL ") + inserted;
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto checks, RowChecks(context, scans, target, rows.columns));
  rows.sql = WithChecks(rows.sql, checks);
  return rows;
}

Result<FileChanges> RunWritePhase(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge, const MatchResult& match,
                                  const WriteTarget& target, bool deletion_vectors,
                                  UncommittedFiles& files, MergeMetrics& metrics) {
  const int64_t start = context.clock.NowMillis();
  FileChanges changes;
  if (match.files.empty() && match.inserts == 0) return changes;

  // A commit without updates and deletes is its own change feed: its added files say what was
  // inserted.
  const bool change_feed = target.properties.enable_change_data_feed() && !match.files.empty();
  const bool copies = !deletion_vectors;
  RowExtras extras{.old_values = change_feed};
  if (!match.files.empty()) extras.tracking = FindRowTrackingColumns(target.properties);
  MERGANSER_ASSIGN_OR_RETURN(const RoutedRows rows, SelectRoutedRows(context, scans, merge, match,
                                                                     target, copies, extras));
  const std::string sql = fmt::format(
      "SELECT CAST(route AS INTEGER) AS route, * EXCLUDE (route) FROM ({}) AS checked{}", rows.sql,
      PartitionOrder(target, rows.columns));
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::SinkResult written,
      engine::RunSink(*context.connection, sql, RoutesOf(target, context.conf, extras),
                      files.created()));
  MERGANSER_RETURN_IF_ERROR(CheckRowBalance(written, match, metrics, copies));

  metrics.copied = written.route_rows[static_cast<size_t>(RowRoute::kCopied)];
  for (const engine::WrittenFile& file : written.files) {
    if (file.family != 0) {
      changes.change_files.push_back(ToChangeFile(file));
      continue;
    }
    changes.added.push_back(ToAddFile(file, context.clock.NowMillis()));
    metrics.files_added += 1;
    metrics.bytes_added += file.size;
  }
  metrics.change_files_added = static_cast<int64_t>(changes.change_files.size());
  if (deletion_vectors) {
    MERGANSER_RETURN_IF_ERROR(MarkDeletedRows(context, match, target, files, changes, metrics));
  } else {
    for (const TouchedFile& touched : match.files) {
      changes.removed.push_back(TombstoneOf(touched.file, context.clock.NowMillis()));
      metrics.files_removed += 1;
      metrics.bytes_removed += touched.file.size();
      metrics.deletion_vectors_removed += touched.file.has_deletion_vector() ? 1 : 0;
    }
  }
  metrics.rewrite_ms = std::max<int64_t>(1, context.clock.NowMillis() - start);
  return changes;
}

}  // namespace merganser
