#include "merganser/engine/lowering/lower_source.h"

#include <fmt/format.h>

#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

std::string Renamed(const std::vector<std::string>& names, const std::vector<BoundColumn>& columns) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    list += fmt::format("{}{} AS {}", i > 0 ? ", " : "", QuoteName(names[i]), EngineColumn(columns[i].id));
  }
  return list.empty() ? "TRUE AS present" : list;
}

/// The `_metadata` column of a scan.
std::string FileMetadata(const DataType& type) {
  std::string fields;
  for (const StructField& field : type.fields()) {
    std::string value = "CAST(NULL AS BIGINT)";
    if (field.name == "file_path") value = "'file://' || _mg_file_path";
    if (field.name == "file_name") value = "parse_filename(_mg_file_path)";
    if (field.name == "file_modification_time") value = "CAST(NULL AS TIMESTAMP WITH TIME ZONE)";
    fields += fmt::format("{}{} := {}", fields.empty() ? "" : ", ", QuoteName(field.name), value);
  }
  return fmt::format("struct_pack({})", fields);
}

}  // namespace

Result<std::string> LowerScan(const BoundScan& scan, const std::vector<BoundColumn>& columns,
                              const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string table, context.scan(scan));
  std::string list = scan.columns.empty() ? "" : Renamed(scan.columns, columns);
  size_t next = scan.columns.size();
  const auto add = [&](const std::string& value) {
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", value, EngineColumn(columns[next++].id));
  };
  if (scan.row_positions) {
    add("CAST(_mg_file_index AS BIGINT)");
    add("_mg_file_row_number");
  }
  if (scan.file_metadata) add(FileMetadata(columns[next].type));
  return fmt::format("SELECT {} FROM {} AS scan", list.empty() ? "TRUE AS present" : list, table);
}

Result<std::string> LowerTableChanges(const BoundTableChanges& changes, const std::vector<BoundColumn>& columns,
                                      const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string table, context.table_changes(changes));
  return fmt::format("SELECT {} FROM {} AS changes", Renamed(changes.columns, columns), table);
}

Result<std::string> LowerFileScan(const BoundFileScan& scan, const std::vector<BoundColumn>& columns) {
  std::string paths;
  for (const std::string& path : scan.paths) paths += (paths.empty() ? "" : ", ") + QuoteText(path);
  std::string function;
  if (scan.format == "parquet") {
    function = fmt::format("read_parquet([{}], hive_partitioning = true, union_by_name = true)", paths);
  } else if (scan.format == "csv") {
    const auto header = scan.options.find("header");
    const bool has_header = header != scan.options.end() && header->second == "true";
    function = fmt::format("read_csv([{}], header = {}, all_varchar = true)", paths, has_header);
  } else if (scan.format == "json") {
    function = fmt::format("read_json([{}], union_by_name = true)", paths);
  } else {
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", scan.format}});
  }
  std::string list;
  for (size_t i = 0; i < scan.columns.size(); ++i) {
    list += fmt::format("{}CAST({} AS {}) AS {}", i > 0 ? ", " : "", QuoteName(scan.columns[i]),
                        EngineType(columns[i].type), EngineColumn(columns[i].id));
  }
  return fmt::format("SELECT {} FROM {} AS files", list.empty() ? "TRUE AS present" : list, function);
}

Result<std::string> LowerEngineTable(const BoundEngineTable& table, const std::vector<BoundColumn>& columns) {
  return fmt::format("SELECT {} FROM {} AS engine_table", Renamed(table.columns, columns), table.engine_name);
}

Result<std::string> LowerValues(const BoundValues& values, const std::vector<BoundColumn>& columns,
                                const LoweringContext& context) {
  if (columns.empty()) {
    // Rows without columns still count.
    return fmt::format("SELECT TRUE AS present FROM range({})", values.rows.size());
  }
  if (values.rows.empty()) {
    std::string list;
    for (const BoundColumn& column : columns) {
      list += fmt::format("{}CAST(NULL AS {}) AS {}", list.empty() ? "" : ", ", EngineType(column.type),
                          EngineColumn(column.id));
    }
    return fmt::format("SELECT {} WHERE FALSE", list);
  }
  std::string rows;
  for (const auto& row : values.rows) {
    std::string items;
    for (const BoundExpressionPtr& value : row) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string item, LowerExpression(*value, context));
      items += (items.empty() ? "" : ", ") + item;
    }
    rows += fmt::format("{}({})", rows.empty() ? "" : ", ", items);
  }
  std::string names;
  for (const BoundColumn& column : columns) names += (names.empty() ? "" : ", ") + EngineColumn(column.id);
  return fmt::format("SELECT * FROM (VALUES {}) AS inline_rows({})", rows, names);
}

Result<std::string> LowerRange(const BoundRange& range, const std::vector<BoundColumn>& columns) {
  return fmt::format("SELECT range AS {} FROM range(CAST({} AS BIGINT), CAST({} AS BIGINT), CAST({} AS BIGINT))",
                     EngineColumn(columns[0].id), range.start, range.end, range.step);
}

}  // namespace merganser
