#include "merganser/commands/file_rewrite.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/row_tracking_scan.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

/// Bits of a column's rank that take part in the curve.
constexpr int kCurveBits = 12;
constexpr const char* kBuckets = "rewritten_rows";

std::string ColumnSql(const ColumnPath& path) {
  std::string sql = engine::QuoteIdentifier(path[0]);
  for (size_t i = 1; i < path.size(); ++i)
    sql = fmt::format("struct_extract({}, {})", sql, engine::QuoteString(path[i]));
  return sql;
}

/// A number that grows along a Z-order curve through the columns: their ranks, bits interleaved.
std::string CurvePosition(const std::vector<ColumnPath>& columns) {
  std::string sum;
  for (size_t column = 0; column < columns.size(); ++column) {
    const std::string rank = fmt::format("(ntile({}) OVER (ORDER BY {} NULLS FIRST) - 1)",
                                         1 << kCurveBits, ColumnSql(columns[column]));
    if (columns.size() == 1) return rank;
    for (int bit = 0; bit < kCurveBits; ++bit) {
      const size_t place =
          static_cast<size_t>(bit) * columns.size() + (columns.size() - 1 - column);
      sum += fmt::format("{}((({} >> {}) & 1) << {})", sum.empty() ? "" : " + ", rank, bit, place);
    }
  }
  return sum;
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
  spec.families.push_back(DataFamily(target, tracking.has_value()));
  spec.routes.push_back({{{.family = 0, .columns = {}}}});

  std::vector<std::string> parts;
  if (layout.cluster_by.empty()) {
    parts.push_back(std::move(rows));
  } else {
    // Each file gets a piece of the curve of its own: only then do its bounds tell it from the
    // others.
    int64_t bytes = 0;
    for (const FileView& file : group) bytes += file.size();
    const int64_t pieces = std::max<int64_t>(1, bytes / layout.max_file_bytes);
    MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
        fmt::format("CREATE OR REPLACE TEMP TABLE {} AS SELECT *, ntile({}) OVER (ORDER BY "
                    "curve_position) AS piece "
                    "FROM (SELECT *, {} AS curve_position FROM ({}) AS rows) AS placed",
                    kBuckets, pieces, CurvePosition(layout.cluster_by), rows)));
    for (int64_t piece = 1; piece <= pieces; ++piece) {
      parts.push_back(
          fmt::format("SELECT * EXCLUDE (curve_position, piece) FROM {} WHERE piece = {} ORDER BY "
                      "curve_position",
                      kBuckets, piece));
    }
  }
  std::vector<AddFile> added;
  for (const std::string& part : parts) {
    MERGANSER_ASSIGN_OR_RETURN(const engine::SinkResult written,
                               engine::RunSink(*context.connection, part, spec, files.created()));
    for (const engine::WrittenFile& file : written.files) {
      AddFile add = ToAddFile(file, context.clock.NowMillis());
      add.data_change = false;
      added.push_back(std::move(add));
    }
  }
  if (!layout.cluster_by.empty()) {
    MERGANSER_RETURN_IF_ERROR(context.connection->Execute(fmt::format("DROP TABLE {}", kBuckets)));
  }
  return added;
}

}  // namespace merganser
