#include "merganser/commands/write_target.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

constexpr std::string_view kRowIdColumn = "delta.rowTracking.materializedRowIdColumnName";
constexpr std::string_view kRowCommitVersionColumn =
    "delta.rowTracking.materializedRowCommitVersionColumnName";
constexpr int kRandomPrefixLength = 2;

/// The leaves that the sink reported.
std::vector<StatisticsColumn> ReportedColumns(const FileStatistics& statistics) {
  std::vector<StatisticsColumn> columns;
  for (const ColumnStatistics& column : statistics.columns) {
    columns.push_back({.path = column.path, .has_bounds = column.min || column.max});
  }
  return columns;
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

bool WriteTarget::is_partition_column(std::string_view name) const {
  return std::ranges::find(partition_columns, name) != partition_columns.end();
}

std::optional<RowTrackingColumns> FindRowTrackingColumns(const TableProperties& properties) {
  if (!properties.enable_row_tracking()) return std::nullopt;
  const auto row_id = properties.Find(kRowIdColumn);
  const auto version = properties.Find(kRowCommitVersionColumn);
  if (!row_id || !version) return std::nullopt;
  return RowTrackingColumns{std::string(*row_id), std::string(*version)};
}

engine::SinkFamily DataFamily(const WriteTarget& target, bool row_tracking) {
  engine::SinkFamily family;
  family.schema = target.schema;
  family.column_mapping = target.properties.column_mapping_mode();
  family.partition_columns = target.partition_columns;
  family.statistics = StatisticsColumns(target.schema, target.partition_columns, target.properties);
  // Names in folders would tie the layout to names that column mapping lets change.
  if (family.column_mapping != ColumnMappingMode::kNone)
    family.random_prefix_length = kRandomPrefixLength;
  if (row_tracking) {
    const auto columns = FindRowTrackingColumns(target.properties);
    family.schema.Add({columns->row_id, DataType::Long(), true, {}});
    family.schema.Add({columns->row_commit_version, DataType::Long(), true, {}});
  }
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
  spec.max_file_rows = std::max<int64_t>(0, conf.max_records_per_file());
  spec.compression = target.properties.compression_codec();
  if (spec.compression.empty()) spec.compression = conf.parquet_compression_codec();
  if (spec.compression == "none") spec.compression = "uncompressed";
  if (spec.compression == "lz4") spec.compression = "lz4_raw";
  return spec;
}

AddFile ToAddFile(const engine::WrittenFile& file, int64_t now_ms) {
  AddFile add;
  add.path = EncodeDataPath(file.path);
  add.partition_values = file.partition_values;
  add.size = file.size;
  add.modification_time = now_ms;
  add.stats = ToJson(file.statistics, ReportedColumns(file.statistics));
  return add;
}

AddCdcFile ToChangeFile(const engine::WrittenFile& file) {
  AddCdcFile change;
  change.path = EncodeDataPath(file.path);
  change.partition_values = file.partition_values;
  change.size = file.size;
  return change;
}

}  // namespace merganser
