#include "merganser/commands/merge/column_splice.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "merganser/commands/merge/row_group_splice.h"
#include "merganser/commands/merge/touched_scan.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/engine/splice/column_splice.h"

namespace merganser {
namespace {

std::vector<StatisticsColumn> StatisticsOf(const WriteTarget& target) {
  return StatisticsColumns(target.schema, target.partition_columns, target.properties);
}

/// The file's part in the splice; nothing if it cannot have one.
Result<std::optional<ColumnSplice::File>> PlanFile(const MatchResult& match, size_t index,
                                                   const WriteTarget& target,
                                                   TouchedFooters& footers, ColumnSplice& splice) {
  const TouchedFile& touched = match.files[index];
  if (touched.deleted > 0 || touched.file.has_deletion_vector() ||
      !IsWorthSplicing(touched.file, target))
    return std::optional<ColumnSplice::File>();
  MERGANSER_ASSIGN_OR_RETURN(auto footer, footers.Read(index));
  std::vector<size_t> all(footer->row_groups().size());
  std::iota(all.begin(), all.end(), size_t{0});
  if (!footer->IsSpliceable() || !footer->Statistics(all, StatisticsOf(target)))
    return std::optional<ColumnSplice::File>();
  ColumnSplice::File file{.footer = std::move(footer), .groups = {}, .rows = {}};
  for (const size_t i : all) {
    const engine::RowGroupSpan& group = file.footer->row_groups()[i];
    const auto begin = static_cast<uint64_t>(group.first_row);
    const uint64_t end = begin + static_cast<uint64_t>(group.num_rows);
    splice.kept_bytes += group.bytes;
    if (touched.rows->CountRange(begin, end) == 0) continue;
    file.groups.push_back(i);
    file.rows.AddRange(begin, end);
  }
  for (const size_t column : splice.columns) {
    const StructField& field = target.schema[column];
    const std::string name = PhysicalName(field, target.properties.column_mapping_mode());
    if (!file.footer->HoldsColumn(name, field.type)) return std::optional<ColumnSplice::File>();
    const int64_t bytes = file.footer->ColumnBytes(name, file.groups);
    splice.encoded_bytes += bytes;
    splice.kept_bytes -= bytes;
  }
  return std::optional(std::move(file));
}

}  // namespace

Result<std::optional<ColumnSplice>> PlanColumnSplice(
    const BoundMerge& merge, const MatchResult& match, const RowSelect& select,
    const RowExtras& extras, const WriteTarget& target, TouchedFooters& footers) {
  if (match.files.empty() || merge.schema_changed || extras.old_values || extras.tracking ||
      merge.snapshot->column_mapping_mode() == ColumnMappingMode::kId ||
      select.Has(RowRoute::kDeleted))
    return std::optional<ColumnSplice>();
  ColumnSplice splice;
  MERGANSER_ASSIGN_OR_RETURN(splice.columns, select.AssignedColumns());
  const bool moves = std::ranges::any_of(splice.columns, [&](size_t column) {
    return target.is_partition_column(target.schema[column].name);
  });
  // All columns are more than half of the bytes: no footer has to say so.
  if (splice.columns.empty() || splice.columns.size() == target.schema.size() || moves)
    return std::optional<ColumnSplice>();
  for (size_t i = 0; i < match.files.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(auto file, PlanFile(match, i, target, footers, splice));
    if (!file) return std::optional<ColumnSplice>();
    splice.files.push_back(*std::move(file));
  }
  int64_t touched_bytes = 0;
  for (const ColumnSplice::File& file : splice.files) {
    for (const size_t group : file.groups) touched_bytes += file.footer->row_groups()[group].bytes;
  }
  if (splice.encoded_bytes > touched_bytes / 2) return std::optional<ColumnSplice>();
  return std::optional(std::move(splice));
}

Result<std::vector<engine::WrittenFile>> WriteColumnSplice(
    StatementContext& context, StatementScans& scans, const BoundMerge& merge,
    const MatchResult& match, const RowSelect& select, const WriteTarget& target,
    const ColumnSplice& splice, UncommittedFiles& files) {
  engine::ColumnSpliceSpec spec;
  spec.root = target.location.path;
  spec.file_system = target.location.file_system;
  for (const size_t column : splice.columns) spec.columns.Add(target.schema[column]);
  spec.column_mapping = target.properties.column_mapping_mode();
  spec.compression = SinkSpecOf(target, context.conf).compression;
  spec.statistics = StatisticsOf(target);
  for (size_t i = 0; i < splice.files.size(); ++i) {
    const TouchedFile& touched = match.files[i];
    MERGANSER_ASSIGN_OR_RETURN(const std::string path,
                               DataFilePath(target.location.path, touched.file.path()));
    spec.files.push_back({touched.number, splice.files[i].footer.get(), splice.files[i].groups,
                          NewPathBeside(path)});
  }
  // The few updated rows first, then those that make the row groups whole.
  std::string updated;
  if (!select.UpdatesFromSource(&splice.columns)) {
    MERGANSER_ASSIGN_OR_RETURN(auto source, ScanActed(merge, match, {}));
    updated = scans.Register(std::move(source));
  }
  std::vector<DeletionVector> others;
  for (size_t i = 0; i < splice.files.size(); ++i) {
    DeletionVector rows = splice.files[i].rows;
    rows.Subtract(*match.files[i].rows);
    others.push_back(std::move(rows));
  }
  MERGANSER_ASSIGN_OR_RETURN(auto unchanged, ScanRows(merge, match, std::move(others)));
  std::vector<std::string> selects(2);
  MERGANSER_ASSIGN_OR_RETURN(selects[0], select.UpdatedColumns(updated, splice.columns));
  MERGANSER_ASSIGN_OR_RETURN(
      selects[1], select.UnchangedColumns(scans.Register(std::move(unchanged)), splice.columns));
  MERGANSER_ASSIGN_OR_RETURN(
      std::vector<engine::WrittenFile> written,
      engine::RunColumnSplice(*context.connection, selects, spec, files.created()));
  for (size_t i = 0; i < written.size(); ++i)
    written[i].partition_values = match.files[i].file.ToAddFile().partition_values;
  return written;
}

}  // namespace merganser
