#include "merganser/commands/file_scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/find_option.h"

namespace merganser {
namespace {

bool IsOn(const plan::Options& options, std::string_view key) {
  return EqualsIgnoringCase(FileOption(options, key, "false"), "true");
}

std::string List(const std::vector<DataFile>& files) {
  std::string list;
  for (const DataFile& file : files)
    list += (list.empty() ? "" : ", ") + engine::QuoteString(file.path);
  return list;
}

bool IsFolderColumn(const std::vector<DataFile>& files, const std::string& name) {
  return std::ranges::any_of(files, [&](const DataFile& file) {
    return std::ranges::any_of(file.partition_values,
                               [&](const auto& value) { return value.first == name; });
  });
}

/// `columns = {'a': 'VARCHAR', ...}` of the columns that the files themselves hold.
std::string ColumnTypes(const std::vector<DataFile>& files, const std::vector<StructField>& columns,
                        bool as_text) {
  std::string list;
  for (const StructField& column : columns) {
    if (IsFolderColumn(files, column.name)) continue;
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", engine::QuoteString(column.name),
                        engine::QuoteString(as_text ? "VARCHAR" : EngineType(column.type)));
  }
  return "{" + list + "}";
}

std::string CsvScan(const std::vector<DataFile>& files, const plan::Options& options,
                    const std::vector<StructField>& columns) {
  const std::string separator = FileOption(options, "sep", FileOption(options, "delimiter", ","));
  return fmt::format(
      "read_csv([{}], auto_detect = false, header = {}, delim = {}, quote = {}, escape = {}, "
      "nullstr = {}, "
      "columns = {}, allow_quoted_nulls = false, null_padding = true, strict_mode = false, "
      "hive_partitioning = {}, "
      "hive_types_autocast = false)",
      List(files), IsOn(options, "header"), engine::QuoteString(separator),
      engine::QuoteString(FileOption(options, "quote", "\"")),
      engine::QuoteString(FileOption(options, "escape", "\\")),
      engine::QuoteString(FileOption(options, "nullValue", "")),
      ColumnTypes(files, columns, /*as_text=*/true), !files[0].partition_values.empty());
}

std::string JsonScan(const std::vector<DataFile>& files, const plan::Options& options,
                     const std::vector<StructField>& columns) {
  return fmt::format(
      "read_json([{}], format = {}, columns = {}, hive_partitioning = {}, hive_types_autocast = "
      "false)",
      List(files), IsOn(options, "multiLine") ? "'auto'" : "'newline_delimited'",
      ColumnTypes(files, columns, /*as_text=*/false), !files[0].partition_values.empty());
}

/// `declared` columns come as NULL where no file has them.
std::string ParquetScan(const std::vector<DataFile>& files, const std::vector<StructField>& columns,
                        bool declared) {
  std::string scan = fmt::format(
      "read_parquet([{}], union_by_name = true, hive_partitioning = {}, hive_types_autocast = "
      "false)",
      List(files), !files[0].partition_values.empty());
  if (!declared || columns.empty()) return scan;
  std::string nulls;
  for (const StructField& column : columns)
    nulls += fmt::format("{}NULL AS {}", nulls.empty() ? "" : ", ",
                         engine::QuoteIdentifier(column.name));
  return fmt::format("(FROM {} UNION ALL BY NAME SELECT {} WHERE FALSE)", scan, nulls);
}

}  // namespace

std::string FileOption(const plan::Options& options, std::string_view key,
                       std::string_view otherwise) {
  const std::string* value = FindOption(options, key);
  return value == nullptr ? std::string(otherwise) : *value;
}

Result<std::vector<DataFile>> FindDataFiles(const StatementContext& context,
                                            const std::vector<std::string>& paths) {
  std::vector<DataFile> files;
  for (const std::string& path : paths) {
    MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                               context.catalog.file_systems().Resolve(path));
    MERGANSER_ASSIGN_OR_RETURN(auto found, ListDataFiles(location));
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return files;
}

Result<std::string> FileScanSql(const StatementContext& context, const BoundFileScan& scan,
                                const std::vector<BoundColumn>& columns) {
  MERGANSER_ASSIGN_OR_RETURN(const auto files, FindDataFiles(context, scan.paths));
  std::vector<StructField> fields;
  for (size_t i = 0; i < scan.columns.size(); ++i)
    fields.push_back({scan.columns[i], columns[i].type, true, {}});
  if (files.empty()) {
    std::string none;
    for (const StructField& field : fields) {
      none += fmt::format("{}CAST(NULL AS {}) AS {}", none.empty() ? "" : ", ",
                          EngineType(field.type), engine::QuoteIdentifier(field.name));
    }
    return fmt::format("(SELECT {} WHERE FALSE)", none.empty() ? "1" : none);
  }
  if (scan.format == "csv") return CsvScan(files, scan.options, fields);
  if (scan.format == "json") return JsonScan(files, scan.options, fields);
  if (scan.format == "parquet") return ParquetScan(files, fields, scan.declared);
  return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", scan.format}});
}

}  // namespace merganser
