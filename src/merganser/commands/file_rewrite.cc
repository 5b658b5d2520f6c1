#include "merganser/commands/file_rewrite.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/row_tracking_scan.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

/// Bits of a column's range that take part in the curve.
constexpr int kCurveBits = 10;
/// Bits of a place on the curve: many columns take part with fewer bits each.
constexpr size_t kPlaceBits = 62;
/// Rows that the ranges are taken from.
constexpr int64_t kSampledRows = int64_t{64} << kCurveBits;
constexpr const char* kRanges = "clustering_ranges";

std::string ColumnSql(const ColumnPath& path) {
  std::string sql = engine::QuoteIdentifier(path[0]);
  for (size_t i = 1; i < path.size(); ++i)
    sql = fmt::format("struct_extract({}, {})", sql, engine::QuoteString(path[i]));
  return sql;
}

std::string SortKey(const ColumnPath& column) {
  return fmt::format("create_sort_key({}, 'ASC NULLS FIRST')", ColumnSql(column));
}

/// Cut each column's values into ranges of about as many rows, by a sample of `rows`. The
/// boundaries go into the variable kRanges.
Status FindRanges(StatementContext& context, const std::string& rows,
                  const std::vector<ColumnPath>& columns) {
  std::string ranges;
  std::string keys;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string_view comma = i == 0 ? "" : ", ";
    keys += fmt::format("{}{} AS k{}", comma, SortKey(columns[i]), i);
    // The last row of all ranges but the last, of equally many rows each.
    const std::string step = fmt::format("((count(*) + {0} - 1) // {0})", 1 << kCurveBits);
    ranges += fmt::format("{0}c{1} := list_slice(list(k{1} ORDER BY k{1}), 1 + {2}, count(*), {2})",
                          comma, i, step);
  }
  MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
      fmt::format("SET VARIABLE {} = (SELECT struct_pack({}) FROM (SELECT {} FROM ({}) AS rows "
                  "USING SAMPLE reservoir({} ROWS)) AS sampled)",
                  kRanges, ranges, keys, rows, kSampledRows)));
  return Status::Ok();
}

/// What rows are ordered by: one column itself; several along a Z-order curve, by the bits of their
/// ranges' numbers in turn.
std::string ClusteredOrder(const std::vector<ColumnPath>& columns) {
  if (columns.size() == 1) return ColumnSql(columns[0]) + " NULLS FIRST";
  const size_t count = std::min(columns.size(), kPlaceBits);
  const size_t bits = std::min<size_t>(kCurveBits, kPlaceBits / count);
  std::string sum;
  for (size_t column = 0; column < count; ++column) {
    const std::string number = fmt::format("mg_range_number({}, getvariable('{}').c{})",
                                           SortKey(columns[column]), kRanges, column);
    for (size_t bit = 0; bit < bits; ++bit) {
      const size_t place = bit * count + (count - 1 - column);
      sum += fmt::format("{}((({} >> {}) & 1) << {})", sum.empty() ? "" : " + ", number,
                         kCurveBits - bits + bit, place);
    }
  }
  return sum;
}

/// Files can end where row groups do: those of small files are small.
int64_t RowGroupRows(const std::vector<FileView>& group, int64_t max_file_bytes, int64_t most) {
  int64_t rows = 0;
  int64_t bytes = 0;
  for (const FileView& file : group) {
    rows += ParseNumRecords(file.stats()).value_or(0);
    bytes += file.size();
  }
  if (rows == 0 || bytes <= max_file_bytes) return most;
  constexpr int64_t kFewest = 2048;
  return std::clamp<int64_t>(rows / (bytes / max_file_bytes + 1), kFewest, most);
}

std::string SelectRows(const std::string& scan, const WriteTarget& target,
                       const std::optional<RowTrackingColumns>& tracking) {
  std::string columns;
  for (const StructField& field : target.schema)
    columns += ", " + engine::QuoteIdentifier(field.name);
  if (tracking)
    columns += fmt::format(", {} AS row_id, {} AS row_version", RowIdSql(*tracking),
                           RowCommitVersionSql(*tracking));
  return fmt::format("SELECT CAST(0 AS INTEGER) AS route{} FROM {} AS scan", columns, scan);
}

}  // namespace

std::vector<std::vector<FileView>> GroupByPartition(const std::vector<FileView>& files) {
  std::map<PartitionValues, size_t> places;
  std::vector<std::vector<FileView>> groups;
  for (const FileView& file : files) {
    PartitionValues values = file.ToAddFile().partition_values;
    std::ranges::sort(values);
    const auto [place, is_new] = places.try_emplace(std::move(values), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(file);
  }
  return groups;
}

std::vector<std::vector<FileView>> PackBySize(const std::vector<FileView>& files,
                                              int64_t max_bytes) {
  std::vector<std::vector<FileView>> groups;
  int64_t bytes = 0;
  for (const FileView& file : files) {
    if (groups.empty() || bytes + file.size() > max_bytes) {
      groups.emplace_back();
      bytes = 0;
    }
    groups.back().push_back(file);
    bytes += file.size();
  }
  return groups;
}

Result<std::vector<AddFile>> RewriteFiles(StatementContext& context, const Snapshot& snapshot,
                                          const std::vector<FileView>& group,
                                          const WriteTarget& target, const RewriteLayout& layout,
                                          UncommittedFiles& files) {
  const auto tracking = FindRowTrackingColumns(snapshot.properties());
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(auto source, ScanSourceOf(snapshot, group));
  if (tracking) AddRowTracking(group, *tracking, *source);
  std::string rows = SelectRows(scans.Register(std::move(source)), target, tracking);

  engine::SinkSpec spec = SinkSpecOf(target, context.conf);
  spec.target_file_bytes = layout.max_file_bytes;
  spec.row_group_rows = RowGroupRows(group, layout.max_file_bytes, spec.row_group_rows);
  spec.families.push_back(DataFamily(target, tracking.has_value()));
  spec.routes.push_back({{{.family = 0, .columns = {}}}});

  if (!layout.cluster_by.empty()) {
    if (layout.cluster_by.size() > 1)
      MERGANSER_RETURN_IF_ERROR(FindRanges(context, rows, layout.cluster_by));
    rows = fmt::format("SELECT * FROM ({}) AS rows ORDER BY {}", rows,
                       ClusteredOrder(layout.cluster_by));
  }
  MERGANSER_ASSIGN_OR_RETURN(const engine::SinkResult written,
                             engine::RunSink(*context.connection, rows, spec, files.created()));
  std::vector<AddFile> added;
  for (const engine::WrittenFile& file : written.files) {
    AddFile add = ToAddFile(file, target, context.clock.NowMillis());
    add.data_change = false;
    added.push_back(std::move(add));
  }
  return added;
}

}  // namespace merganser
