#include "merganser/commands/table_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

bool IsPartitionColumn(const WriteTarget& target, const std::string& name) {
  return std::ranges::find(target.partition_columns, name) != target.partition_columns.end();
}

}  // namespace

WriteTarget WriteTarget::Of(const Snapshot& snapshot) {
  return {snapshot.table(), snapshot.schema(), snapshot.partition_columns(), snapshot.properties()};
}

Result<WriteTarget> WriteTarget::Of(FileLocation location, const Metadata& metadata) {
  MERGANSER_ASSIGN_OR_RETURN(StructType schema, ParseSchemaJson(metadata.schema_string));
  return WriteTarget{std::move(location), std::move(schema), metadata.partition_columns,
                     TableProperties(metadata.configuration)};
}

engine::SinkFamily DataFamily(const WriteTarget& target) {
  engine::SinkFamily family;
  family.schema = target.schema;
  family.column_mapping = target.properties.column_mapping_mode();
  family.partition_columns = target.partition_columns;
  family.statistics = StatisticsColumns(target.schema, target.partition_columns, target.properties);
  // Names in folders would tie the layout to names that column mapping lets change.
  if (family.column_mapping != ColumnMappingMode::kNone) family.random_prefix_length = 2;
  return family;
}

engine::SinkFamily ChangeFamily(const WriteTarget& target) {
  engine::SinkFamily family = DataFamily(target);
  family.schema.Add({"_change_type", DataType::String(), true, {}});
  family.directory = "_change_data";
  family.file_prefix = "cdc";
  family.statistics.clear();
  return family;
}

engine::SinkSpec SinkSpecOf(const WriteTarget& target, const SessionConf& conf) {
  engine::SinkSpec spec;
  spec.root = target.location.path;
  spec.file_system = target.location.file_system;
  spec.compression = target.properties.compression_codec();
  if (spec.compression.empty()) spec.compression = conf.parquet_compression_codec();
  return spec;
}

AddFile ToAddFile(const engine::WrittenFile& file, int64_t now_ms) {
  AddFile add;
  add.path = EncodeDataPath(file.path);
  add.partition_values = file.partition_values;
  add.size = file.size;
  add.modification_time = now_ms;
  add.stats = ToJson(file.statistics);
  return add;
}

AddCdcFile ToChangeFile(const engine::WrittenFile& file) {
  AddCdcFile change;
  change.path = EncodeDataPath(file.path);
  change.partition_values = file.partition_values;
  change.size = file.size;
  return change;
}

Result<WrittenRows> WriteRows(StatementContext& context, const BoundRelationPtr& rows, const WriteTarget& target,
                              UncommittedFiles& files) {
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(*rows, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(const auto checks, RowChecks(context, scans, target, rows->columns));

  std::string sql = "SELECT CAST(0 AS INTEGER) AS route";
  std::string order;
  for (size_t i = 0; i < rows->columns.size(); ++i) {
    const std::string column = EngineColumn(rows->columns[i].id);
    sql += ", " + column;
    if (IsPartitionColumn(target, target.schema[i].name)) order += (order.empty() ? " ORDER BY " : ", ") + column;
  }
  sql += fmt::format(" FROM ({}) AS written", child);
  if (!checks.empty()) sql += fmt::format(" WHERE {}", fmt::join(checks, " AND "));
  sql += order;

  engine::SinkSpec spec = SinkSpecOf(target, context.conf);
  spec.families.push_back(DataFamily(target));
  spec.routes.push_back({{{.family = 0, .columns = {}}}});
  MERGANSER_ASSIGN_OR_RETURN(const engine::SinkResult written,
                             engine::RunSink(*context.connection, sql, spec, files.created()));
  WrittenRows result;
  const int64_t now_ms = context.clock.NowMillis();
  for (const engine::WrittenFile& file : written.files) {
    result.num_rows += file.num_records;
    result.num_bytes += file.size;
    result.files.push_back(ToAddFile(file, now_ms));
  }
  return result;
}

}  // namespace merganser
