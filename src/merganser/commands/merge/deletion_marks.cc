#include "merganser/commands/merge/deletion_marks.h"

#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/uuid.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

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
  DeletionVectorFile store(RandomUuid());
  for (size_t i = 0; i < match.files.size(); ++i) {
    const FileView& file = match.files[i].file;
    AddFile add = file.ToAddFile();
    const bool had_vector = add.deletion_vector.has_value();
    DeletionVector rows = *match.files[i].rows;
    if (had_vector) {
      MERGANSER_ASSIGN_OR_RETURN(const DeletionVector old,
                                 ReadDeletionVector(*target.location.file_system,
                                                    target.location.path, *add.deletion_vector));
      rows.Merge(old);
    }
    changes.removed.push_back(TombstoneOf(file, context.clock.NowMillis()));
    const auto records = ParseNumRecords(add.stats.value_or(""));
    if (records && static_cast<int64_t>(rows.cardinality()) == *records) {
      metrics.files_removed += 1;
      metrics.bytes_removed += add.size;
      metrics.deletion_vectors_removed += had_vector ? 1 : 0;
      continue;
    }
    const std::string bytes = rows.Serialize();
    add.deletion_vector =
        bytes.size() <= kMostInlineVectorBytes ? MakeInlineDescriptor(rows) : store.Add(rows);
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
