#include "merganser/commands/table_writer.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/commands/statement_scans.h"
#include "merganser/engine/lowering/lowering.h"

namespace merganser {
namespace {

constexpr size_t kData = 0;
constexpr size_t kChanges = 1;

/// SELECT of the route and the rows' columns, constraints checked, in the order of the partitions.
Result<std::string> CheckedRows(StatementContext& context, StatementScans& scans,
                                const RowsToWrite& rows, const WriteTarget& target) {
  const BoundRelation& relation = *rows.rows;
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(relation, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(auto checks,
                             RowChecks(context, scans, target, relation.columns, rows.computed));
  for (const RowCondition& condition : rows.conditions) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql,
                               LowerExpression(*condition.condition, scans.lowering()));
    checks.push_back(RaiseUnless(sql, condition.error));
  }
  std::string sql = "SELECT CAST(0 AS INTEGER) AS route";
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

engine::SinkSpec SpecOf(const RowsToWrite& rows, const WriteTarget& target,
                        const SessionConf& conf) {
  engine::SinkSpec spec = SinkSpecOf(target, conf);
  spec.families.push_back(DataFamily(target));
  engine::SinkRoute route;
  route.outputs.push_back({.family = kData, .columns = {}});
  if (rows.change_rows) {
    spec.families.push_back(ChangeFamily(target));
    engine::SinkOutput change{.family = kChanges, .columns = {}};
    for (size_t i = 0; i < target.schema.size(); ++i)
      change.columns.push_back({static_cast<int>(i), std::nullopt});
    change.columns.push_back({-1, "insert"});
    route.outputs.push_back(std::move(change));
  }
  spec.routes.push_back(std::move(route));
  return spec;
}

}  // namespace

Result<WrittenRows> WriteRows(StatementContext& context, const RowsToWrite& rows,
                              const WriteTarget& target, UncommittedFiles& files) {
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, CheckedRows(context, scans, rows, target));
  MERGANSER_ASSIGN_OR_RETURN(const engine::SinkResult written,
                             engine::RunSink(*context.connection, sql,
                                             SpecOf(rows, target, context.conf), files.created()));
  WrittenRows result;
  const int64_t now_ms = context.clock.NowMillis();
  for (const engine::WrittenFile& file : written.files) {
    if (file.family == kChanges) {
      result.change_files.push_back(ToChangeFile(file));
      continue;
    }
    result.num_rows += file.num_records;
    result.num_bytes += file.size;
    result.files.push_back(ToAddFile(file, now_ms));
  }
  return result;
}

}  // namespace merganser
