#include "merganser/commands/merge/deletion_marks.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/arrow/column.h"
#include "merganser/base/json.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

/// Rows acted on, by touched file.
Result<std::vector<DeletionVector>> ActedRows(StatementContext& context, size_t files) {
  std::vector<DeletionVector> rows(files);
  MERGANSER_ASSIGN_OR_RETURN(
      const auto stream,
      context.connection->Query(fmt::format(
          "SELECT CAST(f AS BIGINT) AS f, r FROM {} WHERE r IS NOT NULL ORDER BY f, r", kActions)));
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, stream->ExportSchema());
  std::vector<uint64_t> run;
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (!batch) break;
    MERGANSER_ASSIGN_OR_RETURN(
        const ArrowColumn file,
        ArrowColumn::Make(*schema.get().children[0], batch->column(0), DataType::Long()));
    MERGANSER_ASSIGN_OR_RETURN(
        const ArrowColumn row,
        ArrowColumn::Make(*schema.get().children[1], batch->column(1), DataType::Long()));
    for (int64_t i = 0; i < batch->num_rows();) {
      const int64_t index = file.Int64(i);
      run.clear();
      for (; i < batch->num_rows() && file.Int64(i) == index; ++i)
        run.push_back(static_cast<uint64_t>(row.Int64(i)));
      rows[static_cast<size_t>(index)].AddMany(run);
    }
  }
  return rows;
}

/// Statistics of a file some of whose rows are now hidden: its bounds only enclose what is left.
Result<std::optional<std::string>> LooseStatistics(const std::optional<std::string>& stats) {
  if (!stats) return std::optional<std::string>();
  MERGANSER_ASSIGN_OR_RETURN(Json json, Json::Parse(*stats));
  json.Set("tightBounds", false);
  return std::optional<std::string>(json.Dump());
}

}  // namespace

Status MarkDeletedRows(StatementContext& context, const MatchResult& match,
                       const WriteTarget& target, UncommittedFiles& files, FileChanges& changes,
                       MergeMetrics& metrics) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<DeletionVector> rows,
                             ActedRows(context, match.files.size()));
  DeletionVectorFile store(RandomUuid());
  for (size_t i = 0; i < match.files.size(); ++i) {
    const FileView& file = match.files[i].file;
    AddFile add = file.ToAddFile();
    const bool had_vector = add.deletion_vector.has_value();
    if (had_vector) {
      MERGANSER_ASSIGN_OR_RETURN(const DeletionVector old,
                                 ReadDeletionVector(*target.location.file_system,
                                                    target.location.path, *add.deletion_vector));
      rows[i].Merge(old);
    }
    changes.removed.push_back(TombstoneOf(file, context.clock.NowMillis()));
    const auto records = ParseNumRecords(add.stats.value_or(""));
    if (records && static_cast<int64_t>(rows[i].cardinality()) == *records) {
      metrics.files_removed += 1;
      metrics.bytes_removed += add.size;
      metrics.deletion_vectors_removed += had_vector ? 1 : 0;
      continue;
    }
    const std::string bytes = rows[i].Serialize();
    add.deletion_vector =
        bytes.size() <= kMostInlineVectorBytes ? MakeInlineDescriptor(rows[i]) : store.Add(rows[i]);
    MERGANSER_ASSIGN_OR_RETURN(add.stats, LooseStatistics(add.stats));
    add.data_change = true;
    changes.added.push_back(std::move(add));
    metrics.deletion_vectors_added += 1;
    if (had_vector) {
      metrics.deletion_vectors_removed += 1;
      metrics.deletion_vectors_updated += 1;
    }
  }
  if (store.empty()) return Status::Ok();
  files.created().Add(JoinPath(target.location.path, store.relative_path()));
  return store.Write(*target.location.file_system, target.location.path);
}

}  // namespace merganser
