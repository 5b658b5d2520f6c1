#include "merganser/commands/write_target.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/delta/transaction/iceberg_compat.h"

namespace merganser {
namespace {

constexpr std::string_view kRowIdColumn = "delta.rowTracking.materializedRowIdColumnName";
constexpr std::string_view kRowCommitVersionColumn =
    "delta.rowTracking.materializedRowCommitVersionColumnName";
constexpr int kRandomPrefixLength = 2;

// What Iceberg itself calls the two columns by ("Iceberg Compatibility V3").
constexpr int64_t kIcebergRowIdField = 2147483540;
constexpr int64_t kIcebergRowCommitVersionField = 2147483539;

/// A column of row tracking, whose values are NULL where a row's id follows from its place.
StructField TrackingColumn(const std::string& name, std::optional<int64_t> field_id) {
  StructField field{name, DataType::Long(), true, {}};
  if (field_id) field.metadata[std::string(kColumnMappingIdKey)] = std::to_string(*field_id);
  return field;
}

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
  return {.location = snapshot.table(),
          .schema = snapshot.schema(),
          .partition_columns = snapshot.partition_columns(),
          .properties = snapshot.properties(),
          .stores_partition_columns =
              StoresPartitionColumns(snapshot.protocol(), snapshot.metadata().configuration)};
}

Result<WriteTarget> WriteTarget::Of(FileLocation location, const Protocol& protocol,
                                    const Metadata& metadata) {
  MERGANSER_ASSIGN_OR_RETURN(StructType schema, ParseSchemaJson(metadata.schema_string));
  return WriteTarget{
      .location = std::move(location),
      .schema = std::move(schema),
      .partition_columns = metadata.partition_columns,
      .properties = TableProperties(metadata.configuration),
      .stores_partition_columns = StoresPartitionColumns(protocol, metadata.configuration)};
}

bool WriteTarget::is_partition_column(std::string_view name) const {
  return std::ranges::find(partition_columns, name) != partition_columns.end();
}

bool StoresPartitionColumns(const Protocol& protocol, const StringMap& configuration) {
  const TableProperties properties(configuration);
  return properties.iceberg_compat_version() > 0 || properties.write_partition_columns() ||
         SupportsFeature(protocol, "materializePartitionColumns");
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
  family.write_partition_columns = target.stores_partition_columns;
  family.statistics = StatisticsColumns(target.schema, target.partition_columns, target.properties);
  // Names in folders would tie the layout to names that column mapping lets change.
  if (family.column_mapping != ColumnMappingMode::kNone)
    family.random_prefix_length = kRandomPrefixLength;
  if (row_tracking) {
    const auto columns = FindRowTrackingColumns(target.properties);
    std::optional<int64_t> row_id;
    std::optional<int64_t> row_commit_version;
    if (target.properties.iceberg_compat_version() >= 3) {
      row_id = kIcebergRowIdField;
      row_commit_version = kIcebergRowCommitVersionField;
    }
    family.schema.Add(TrackingColumn(columns->row_id, row_id));
    family.schema.Add(TrackingColumn(columns->row_commit_version, row_commit_version));
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

AddFile ToAddFile(const engine::WrittenFile& file, const WriteTarget& target, int64_t now_ms) {
  AddFile add;
  add.path = EncodeDataPath(file.path);
  add.partition_values = file.partition_values;
  add.size = file.size;
  add.modification_time = now_ms;
  add.stats = ToJson(file.statistics, ReportedColumns(file.statistics));
  const int version = target.properties.iceberg_compat_version();
  if (version >= 2) add.tags.emplace()[std::string(kIcebergCompatTag)] = std::to_string(version);
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
