#include "merganser/commands/table_writer.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/constant_folding.h"
#include "merganser/commands/row_slices.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/engine/lowering/lowering.h"

namespace merganser {
namespace {

/// The slices, one below the other, with the number of its part as each row's route.
Result<std::string> RoutedSlices(StatementScans& scans, const std::vector<RowSlice>& slices) {
  std::string sql;
  int64_t route = 0;
  for (const RowSlice& slice : slices) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string rows,
                               LowerRelation(*slice.rows, scans.lowering()));
    const std::string turn =
        slice.parts == 1 ? "" : fmt::format(" + row_number() OVER () % {}", slice.parts);
    sql += fmt::format("{}SELECT CAST({}{} AS INTEGER) AS route, slice.* FROM ({}) AS slice",
                       sql.empty() ? "" : " UNION ALL ", route, turn, rows);
    route += slice.parts;
  }
  return sql;
}

/// SELECT of the route and the rows' columns, constraints checked, in the order of the partitions.
Result<std::string> CheckedRows(StatementContext& context, StatementScans& scans,
                                const RowsToWrite& rows, const std::vector<RowSlice>& slices,
                                const WriteTarget& target) {
  const BoundRelation& relation = *rows.rows;
  MERGANSER_RETURN_IF_ERROR(FoldConstants(context, relation));
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, RoutedSlices(scans, slices));
  MERGANSER_ASSIGN_OR_RETURN(auto checks,
                             RowChecks(context, scans, target, relation.columns, rows.computed));
  for (const RowCondition& condition : rows.conditions) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql,
                               LowerExpression(*condition.condition, scans.lowering()));
    checks.push_back(RaiseUnless(sql, condition.error));
  }
  std::string sql = "SELECT route";
  std::string order;
  for (size_t i = 0; i < relation.columns.size(); ++i) {
    const std::string column = EngineColumn(relation.columns[i].id);
    sql += ", " + column;
    if (target.is_partition_column(target.schema[i].name))
      order += (order.empty() ? " ORDER BY " : ", ") + column;
  }
  sql += fmt::format(" FROM ({}) AS written", child);
  if (!checks.empty()) sql += fmt::format(" WHERE {}", fmt::join(checks, " AND "));
  return sql + order;
}

/// A part is a route, to families of its own: files of data, and of changes if asked for.
engine::SinkSpec SpecOf(const RowsToWrite& rows, int64_t num_parts, const WriteTarget& target,
                        const SessionConf& conf) {
  engine::SinkSpec spec = SinkSpecOf(target, conf);
  for (int64_t i = 0; i < num_parts; ++i) {
    engine::SinkRoute route;
    route.outputs.push_back({.family = spec.families.size(), .columns = {}});
    spec.families.push_back(DataFamily(target));
    if (rows.change_rows) {
      engine::SinkOutput change{.family = spec.families.size(), .columns = {}};
      spec.families.push_back(ChangeFamily(target));
      for (size_t column = 0; column < target.schema.size(); ++column)
        change.columns.push_back({static_cast<int>(column), std::nullopt});
      change.columns.push_back({-1, "insert"});
      route.outputs.push_back(std::move(change));
    }
    spec.routes.push_back(std::move(route));
  }
  return spec;
}

/// Tasks that Spark would deal local rows out to.
int64_t Parallelism(const StatementContext& context) {
  const int64_t configured = context.conf.leaf_node_default_parallelism();
  if (configured > 0) return configured;
  const int threads = context.connection->database()->options().threads;
  return threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

Result<WrittenRows> WriteRows(StatementContext& context, const RowsToWrite& rows,
                              const WriteTarget& target, UncommittedFiles& files) {
  StatementScans scans(context);
  const std::vector<RowSlice> slices = RowSlices(rows.rows, Parallelism(context));
  int64_t parts = 0;
  for (const RowSlice& slice : slices) parts += slice.parts;
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql,
                             CheckedRows(context, scans, rows, slices, target));
  const engine::SinkSpec spec = SpecOf(rows, parts, target, context.conf);
  MERGANSER_ASSIGN_OR_RETURN(const engine::SinkResult written,
                             engine::RunSink(*context.connection, sql, spec, files.created()));
  WrittenRows result;
  const int64_t now_ms = context.clock.NowMillis();
  for (const engine::WrittenFile& file : written.files) {
    if (rows.change_rows && file.family % 2 == 1) {
      result.change_files.push_back(ToChangeFile(file));
      continue;
    }
    result.num_rows += file.num_records;
    result.num_bytes += file.size;
    result.files.push_back(ToAddFile(file, target, now_ms));
  }
  return result;
}

}  // namespace merganser
