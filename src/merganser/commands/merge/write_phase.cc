#include "merganser/commands/merge/write_phase.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/merge/column_splice.h"
#include "merganser/commands/merge/deletion_marks.h"
#include "merganser/commands/merge/row_group_splice.h"
#include "merganser/commands/merge/touched_scan.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

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

/// What goes around the sink.
struct TakenOver {
  std::vector<RowGroupSplice> groups;
  std::optional<ColumnSplice> columns;          ///< Makes all rewritten files, updates included.
  std::vector<engine::WrittenFile> files = {};  ///< That splices made.
  int64_t rows = 0;                             ///< Theirs.

  void Add(engine::WrittenFile file) {
    rows += file.num_records;
    files.push_back(std::move(file));
  }
};

/// No row may get lost or appear: what the sink saw and wrote against what the match phase counted.
Status CheckRowBalance(const engine::SinkResult& written, const MatchResult& match,
                       const MergeMetrics& metrics, const TakenOver* taken, bool change_feed) {
  const auto rows = [&](RowRoute route) { return written.route_rows[static_cast<size_t>(route)]; };
  const bool are_updates_taken = taken != nullptr && taken->columns;
  const int64_t updated = are_updates_taken ? 0 : metrics.updated();
  if (rows(RowRoute::kUpdated) != updated)
    return RowMismatch("updated rows", updated, rows(RowRoute::kUpdated));
  if (rows(RowRoute::kInserted) != metrics.inserted) {
    return RowMismatch("inserted rows", metrics.inserted, rows(RowRoute::kInserted));
  }
  // Deleted rows pass by only where they are written to the change feed.
  if (change_feed && rows(RowRoute::kDeleted) != metrics.deleted()) {
    return RowMismatch("deleted rows", metrics.deleted(), rows(RowRoute::kDeleted));
  }
  const int64_t expected = rows(RowRoute::kCopied) + updated + metrics.inserted;
  int64_t stored = 0;
  for (const engine::WrittenFile& file : written.files)
    stored += file.family == 0 ? file.num_records : 0;
  if (stored != expected) return RowMismatch("rows in data files", expected, stored);
  if (const auto live = LiveRows(match); taken != nullptr && live) {
    const int64_t kept = *live - updated - metrics.deleted();
    const int64_t found = rows(RowRoute::kCopied) + taken->rows;
    if (found != kept) return RowMismatch("kept rows", kept, found);
  }
  return Status::Ok();
}

/// The rewrite of whole files as far as it is done without decoding them.
Result<TakenOver> PlanTakeover(const BoundMerge& merge, const MatchResult& match,
                               const WriteTarget& target, const RowSelect& select,
                               const RowExtras& extras, bool has_checks) {
  TakenOver taken;
  TouchedFooters footers(match, target);
  // A check may be about any column.
  if (!has_checks) {
    MERGANSER_ASSIGN_OR_RETURN(taken.columns,
                               PlanColumnSplice(merge, match, select, extras, target, footers));
  }
  if (!taken.columns) {
    MERGANSER_ASSIGN_OR_RETURN(taken.groups, PlanRowGroupSplices(merge, match, target, footers));
  }
  return taken;
}

/// The rows that pass through the sink. With `taken`, rows without an action
/// are among them.
Result<std::string> SelectRows(StatementScans& scans, const BoundMerge& merge,
                               const MatchResult& match, const RowSelect& select,
                               const RowExtras& extras, const std::vector<std::string>& checks,
                               const TakenOver* taken) {
  std::vector<std::string> parts;
  const bool are_updates_taken = taken != nullptr && taken->columns;
  if (taken != nullptr && !taken->columns && !match.files.empty()) {
    std::vector<DeletionVector> spliced(match.files.size());
    for (const RowGroupSplice& splice : taken->groups) spliced[splice.file] = splice.rows;
    MERGANSER_ASSIGN_OR_RETURN(auto source, ScanCopied(merge, match, extras, std::move(spliced)));
    MERGANSER_ASSIGN_OR_RETURN(parts.emplace_back(),
                               select.CopiedRows(scans.Register(std::move(source))));
  }
  const bool has_updates = select.Has(RowRoute::kUpdated) && !are_updates_taken;
  const bool from_source = select.UpdatesFromSource();
  const bool looks_at_rows = has_updates || (extras.old_values && select.Has(RowRoute::kDeleted));
  if (!from_source && looks_at_rows) {
    MERGANSER_ASSIGN_OR_RETURN(auto source, ScanActed(merge, match, extras));
    MERGANSER_ASSIGN_OR_RETURN(parts.emplace_back(),
                               select.ChangedRows(scans.Register(std::move(source))));
  }
  const bool updates = from_source && has_updates;
  const bool inserts = match.inserts > 0;
  if (updates && inserts && !select.InsertsAlongside()) {
    MERGANSER_ASSIGN_OR_RETURN(parts.emplace_back(), select.SourceRows(false, true));
    MERGANSER_ASSIGN_OR_RETURN(parts.emplace_back(), select.SourceRows(true, false));
  } else if (updates || inserts || parts.empty()) {
    // Also where there is nothing at all, for a SELECT without rows.
    MERGANSER_ASSIGN_OR_RETURN(parts.emplace_back(), select.SourceRows(inserts, updates));
  }
  return WithChecks(fmt::format("{}", fmt::join(parts, " UNION ALL ")), checks);
}

/// Write the row groups that are taken over. They go to the disk while other rows are encoded.
Status WriteRowGroups(const MatchResult& match, const WriteTarget& target, TakenOver& taken,
                      UncommittedFiles& files) {
  for (const RowGroupSplice& splice : taken.groups) {
    MERGANSER_ASSIGN_OR_RETURN(engine::WrittenFile file,
                               WriteRowGroupSplice(splice, match, target, files));
    taken.Add(std::move(file));
  }
  return Status::Ok();
}

/// Make all that splices write durable, and note it.
Status FinishTakenOver(const StatementContext& context, const WriteTarget& target,
                       const TakenOver& taken, FileChanges& changes) {
  std::vector<std::string> paths;
  for (const engine::WrittenFile& file : taken.files) {
    paths.push_back(file.absolute_path);
    changes.added.push_back(ToAddFile(file, target, context.clock.NowMillis()));
  }
  if (paths.empty() || taken.columns) return Status::Ok();
  return target.location.file_system->SyncFiles(paths, target.location.path);
}

}  // namespace

Result<RoutedRows> SelectChangedRows(StatementContext& context, StatementScans& scans,
                                     const BoundMerge& merge, const MatchResult& match,
                                     const WriteTarget& target, const RowExtras& extras) {
  RoutedRows rows{.sql = {}, .columns = OutputColumns(merge, FirstFreeId(merge))};
  const LoweringContext lowering = scans.lowering();
  const RowSelect select(merge, match, rows.columns, lowering, extras);
  MERGANSER_ASSIGN_OR_RETURN(const auto checks, RowChecks(context, scans, target, rows.columns));
  MERGANSER_ASSIGN_OR_RETURN(
      rows.sql, SelectRows(scans, merge, match, select, extras, checks, /*taken=*/nullptr));
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
  RowExtras extras{.old_values = change_feed};
  if (!match.files.empty()) extras.tracking = FindRowTrackingColumns(target.properties);
  const std::vector<BoundColumn> columns = OutputColumns(merge, FirstFreeId(merge));
  const LoweringContext lowering = scans.lowering();
  const RowSelect select(merge, match, columns, lowering, extras);
  MERGANSER_ASSIGN_OR_RETURN(const auto checks, RowChecks(context, scans, target, columns));
  std::optional<TakenOver> taken;
  if (!deletion_vectors) {
    MERGANSER_ASSIGN_OR_RETURN(taken,
                               PlanTakeover(merge, match, target, select, extras, !checks.empty()));
    MERGANSER_RETURN_IF_ERROR(WriteRowGroups(match, target, *taken, files));
  }

  engine::SinkResult written{.files = {}, .route_rows = std::vector<int64_t>(kRowRoutes)};
  const bool rewrites = taken && !taken->columns;
  const bool updates = metrics.updated() > 0 && !(taken && taken->columns);
  // Rows that are only marked as deleted need no pass over any data.
  if (rewrites || change_feed || match.inserts > 0 || updates) {
    MERGANSER_ASSIGN_OR_RETURN(
        const std::string rows,
        SelectRows(scans, merge, match, select, extras, checks, taken ? &*taken : nullptr));
    const std::string sql = fmt::format(
        "SELECT CAST(route AS INTEGER) AS route, * EXCLUDE (route) FROM ({}) AS checked{}", rows,
        PartitionOrder(target, columns));
    MERGANSER_ASSIGN_OR_RETURN(
        written, engine::RunSink(*context.connection, sql, RoutesOf(target, context.conf, extras),
                                 files.created()));
  }
  for (const engine::WrittenFile& file : written.files) {
    if (file.family != 0) {
      changes.change_files.push_back(ToChangeFile(file));
    } else {
      changes.added.push_back(ToAddFile(file, target, context.clock.NowMillis()));
    }
  }
  if (taken && taken->columns) {
    MERGANSER_ASSIGN_OR_RETURN(auto spliced, WriteColumnSplice(context, scans, merge, match, select,
                                                               target, *taken->columns, files));
    for (engine::WrittenFile& file : spliced) taken->Add(std::move(file));
  }
  if (taken) MERGANSER_RETURN_IF_ERROR(FinishTakenOver(context, target, *taken, changes));
  MERGANSER_RETURN_IF_ERROR(
      CheckRowBalance(written, match, metrics, taken ? &*taken : nullptr, change_feed));

  metrics.copied = written.route_rows[static_cast<size_t>(RowRoute::kCopied)];
  if (taken) metrics.copied += taken->rows - (taken->columns ? metrics.updated() : 0);
  metrics.files_added = static_cast<int64_t>(changes.added.size());
  for (const AddFile& file : changes.added) metrics.bytes_added += file.size;
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

Result<TakeoverEstimate> EstimateTakeover(StatementScans& scans, const BoundMerge& merge,
                                          const MatchResult& match) {
  TakeoverEstimate estimate;
  const WriteTarget target = WriteTarget::Of(*merge.snapshot);
  RowExtras extras{.old_values = target.properties.enable_change_data_feed()};
  extras.tracking = FindRowTrackingColumns(target.properties);
  const std::vector<BoundColumn> columns = OutputColumns(merge, FirstFreeId(merge));
  const LoweringContext lowering = scans.lowering();
  const RowSelect select(merge, match, columns, lowering, extras);
  MERGANSER_ASSIGN_OR_RETURN(const auto checks, RowChecks(scans.context(), scans, target, columns));
  MERGANSER_ASSIGN_OR_RETURN(const TakenOver taken,
                             PlanTakeover(merge, match, target, select, extras, !checks.empty()));
  if (taken.columns) {
    estimate.columns = static_cast<int64_t>(taken.columns->columns.size());
    estimate.bytes = taken.columns->kept_bytes;
  }
  for (const RowGroupSplice& splice : taken.groups) {
    estimate.row_groups += static_cast<int64_t>(splice.kept.size());
    estimate.bytes += splice.bytes;
  }
  return estimate;
}

}  // namespace merganser
