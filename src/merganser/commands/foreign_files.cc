#include "merganser/commands/foreign_files.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/data_files.h"
#include "merganser/commands/file_schema.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/engine/sink/file_statistics.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

std::vector<std::string> NamesOf(const StructType& columns) {
  std::vector<std::string> names;
  for (const StructField& column : columns) names.push_back(column.name);
  return names;
}

/// What the folders of a file say, as partition values of the table.
Result<PartitionValues> PartitionOf(const DataFile& file, const StructType& partitions) {
  if (file.partition_values.size() != partitions.size()) {
    std::vector<std::string> parsed;
    for (const auto& [name, value] : file.partition_values) parsed.push_back(name);
    return Error(ErrorClass::DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME,
                 {{"path", file.path},
                  {"expectedColsSize", std::to_string(partitions.size())},
                  {"expectedCols", JsonList(NamesOf(partitions))},
                  {"parsedColsSize", std::to_string(parsed.size())},
                  {"parsedCols", JsonList(parsed)}});
  }
  PartitionValues values;
  for (size_t i = 0; i < partitions.size(); ++i) {
    const auto& [name, value] = file.partition_values[i];
    if (!EqualsIgnoringCase(name, partitions[i].name)) {
      return Error(ErrorClass::DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME,
                   {{"path", file.path}, {"expectedCol", partitions[i].name}, {"parsedCol", name}});
    }
    auto parsed = ParsePartitionValue(
        partitions[i].type, value ? std::optional<std::string_view>(*value) : std::nullopt);
    if (!parsed.ok()) return std::move(parsed).error();
    values.emplace_back(partitions[i].name, value);
  }
  return values;
}

bool IsPartitionFolder(const std::vector<DataFile>& files, const std::string& name) {
  for (const auto& [column, value] : files[0].partition_values) {
    if (EqualsIgnoringCase(column, name)) return true;
  }
  return false;
}

}  // namespace

int64_t ForeignTable::size_in_bytes() const {
  int64_t bytes = 0;
  for (const AddFile& file : files) bytes += file.size;
  return bytes;
}

Result<ForeignTable> ReadForeignTable(StatementContext& context, const FileLocation& location,
                                      const StructType& partitions) {
  MERGANSER_ASSIGN_OR_RETURN(const auto files, ListDataFiles(location));
  if (files.empty()) return Error(ErrorClass::DELTA_EMPTY_DIRECTORY, {{"directory", location.uri}});
  ForeignTable table;
  for (const DataFile& file : files) {
    AddFile add;
    add.path = EncodeDataPath(file.relative_path);
    MERGANSER_ASSIGN_OR_RETURN(add.partition_values, PartitionOf(file, partitions));
    add.size = file.size;
    add.modification_time = file.modification_time;
    table.files.push_back(std::move(add));
  }
  MERGANSER_ASSIGN_OR_RETURN(const StructType inferred,
                             InferFileSchema(context, "parquet", {location.uri}, {}));
  for (const StructField& field : inferred) {
    if (!IsPartitionFolder(files, field.name)) table.schema.Add(field);
  }
  for (StructField field : partitions) {
    field.nullable = true;
    table.schema.Add(std::move(field));
  }
  table.partition_columns = NamesOf(partitions);
  return table;
}

Status CollectFileStatistics(StatementContext& context, const FileLocation& location,
                             const StringMap& configuration, ForeignTable& table) {
  const auto columns =
      StatisticsColumns(table.schema, table.partition_columns, TableProperties(configuration));
  std::string list;
  for (const StructField& field : table.schema) {
    list += (list.empty() ? "" : ", ") + engine::QuoteIdentifier(field.name);
  }
  for (AddFile& file : table.files) {
    auto source = std::make_shared<engine::ScanSource>();
    source->schema = table.schema;
    MERGANSER_ASSIGN_OR_RETURN(std::string path, DataFilePath(location.path, file.path));
    engine::ScanFile scan;
    scan.path = std::move(path);
    scan.size = file.size;
    scan.constants = file.partition_values;
    source->files.push_back(std::move(scan));
    StatementScans scans(context);
    MERGANSER_ASSIGN_OR_RETURN(
        const FileStatistics statistics,
        engine::CollectStatistics(
            *context.connection,
            fmt::format("SELECT {} FROM {} AS scan", list, scans.Register(std::move(source))),
            table.schema, columns));
    file.stats = ToJson(statistics, columns);
  }
  return Status::Ok();
}

}  // namespace merganser
