#include "merganser/commands/merge/row_group_splice.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/uuid.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/data_path.h"

namespace merganser {
namespace {

Result<std::optional<RowGroupSplice>> PlanSplice(const MatchResult& match,
                                                 const WriteTarget& target, size_t index,
                                                 const std::vector<StatisticsColumn>& columns,
                                                 TouchedFooters& footers) {
  const TouchedFile& touched = match.files[index];
  const FileView& file = touched.file;
  if (!IsWorthSplicing(file, target)) return std::optional<RowGroupSplice>();
  MERGANSER_ASSIGN_OR_RETURN(auto footer, footers.Read(index));
  if (footer->row_groups().size() < 2 || !footer->IsSpliceable())
    return std::optional<RowGroupSplice>();
  DeletionVector gone = *touched.rows;
  if (const auto vector = file.deletion_vector()) {
    MERGANSER_ASSIGN_OR_RETURN(
        const DeletionVector old,
        ReadDeletionVector(*target.location.file_system, target.location.path,
                           *file.ToAddFile().deletion_vector));
    gone.Merge(old);
  }
  RowGroupSplice splice{
      .file = index, .footer = std::move(footer), .kept = {}, .rows = {}, .statistics = {}};
  for (size_t i = 0; i < splice.footer->row_groups().size(); ++i) {
    const engine::RowGroupSpan& group = splice.footer->row_groups()[i];
    const auto begin = static_cast<uint64_t>(group.first_row);
    const uint64_t end = begin + static_cast<uint64_t>(group.num_rows);
    if (group.num_rows == 0 || gone.CountRange(begin, end) > 0) continue;
    splice.kept.push_back(i);
    splice.rows.AddRange(begin, end);
    splice.bytes += group.bytes;
  }
  if (splice.bytes < file.size() / 4) return std::optional<RowGroupSplice>();
  auto statistics = splice.footer->Statistics(splice.kept, columns);
  if (!statistics) return std::optional<RowGroupSplice>();
  splice.statistics = *std::move(statistics);
  return std::optional(std::move(splice));
}

}  // namespace

std::string NewPathBeside(std::string_view path) {
  const std::string_view name = BaseName(path);
  const std::string_view extension = name.substr(std::min(name.find('.'), name.size()));
  return JoinPath(ParentPath(path), fmt::format("part-00000-{}-c000{}", RandomUuid(), extension));
}

Result<std::vector<RowGroupSplice>> PlanRowGroupSplices(const BoundMerge& merge,
                                                        const MatchResult& match,
                                                        const WriteTarget& target,
                                                        TouchedFooters& footers) {
  std::vector<RowGroupSplice> splices;
  if (FindRowTrackingColumns(target.properties) ||
      merge.snapshot->column_mapping_mode() == ColumnMappingMode::kId)
    return splices;
  const auto columns =
      StatisticsColumns(target.schema, target.partition_columns, target.properties);
  for (size_t i = 0; i < match.files.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(auto splice, PlanSplice(match, target, i, columns, footers));
    if (splice) splices.push_back(*std::move(splice));
  }
  return splices;
}

Result<engine::WrittenFile> WriteRowGroupSplice(const RowGroupSplice& splice,
                                                const MatchResult& match, const WriteTarget& target,
                                                UncommittedFiles& files) {
  const AddFile old = match.files[splice.file].file.ToAddFile();
  MERGANSER_ASSIGN_OR_RETURN(const std::string from, DataFilePath(target.location.path, old.path));
  engine::WrittenFile file;
  file.absolute_path = NewPathBeside(from);
  file.path = file.absolute_path.substr(target.location.path.size() + 1);
  file.partition_values = old.partition_values;
  file.num_records = static_cast<int64_t>(splice.rows.cardinality());
  file.statistics = splice.statistics;
  files.created().Add(file.absolute_path);
  MERGANSER_ASSIGN_OR_RETURN(
      file.size,
      splice.footer->WriteRowGroups(*target.location.file_system, splice.kept, file.absolute_path));
  return file;
}

}  // namespace merganser
