#include "merganser/commands/file_scan.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/file_schema.h"
#include "merganser/commands/text_format.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/find_option.h"

namespace merganser {
namespace {

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

/// The columns that the files themselves hold.
StructType OwnColumns(const std::vector<DataFile>& files, const std::vector<StructField>& columns) {
  StructType own;
  for (const StructField& column : columns) {
    if (!IsFolderColumn(files, column.name)) own.Add(column);
  }
  return own;
}

Status CheckCorruptColumn(const StructType& columns, const plan::Options& options,
                          bool from_files) {
  const std::string name = CorruptColumn(options);
  const int index = columns.IndexOf(name, /*case_sensitive=*/true);
  if (index < 0) return Status::Ok();
  const DataType& type = columns[static_cast<size_t>(index)].type;
  if (!type.is_string()) {
    return Error(
        ErrorClass::INVALID_CORRUPT_RECORD_TYPE,
        {{"columnName", QuotedIdentifier(name)}, {"actualType", "\"" + type.SqlString() + "\""}});
  }
  if (from_files && columns.size() == 1)
    return Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "QUERY_ONLY_CORRUPT_RECORD_COLUMN");
  return Status::Ok();
}

/// Fails if the header of a file differs from `columns`, whatever the letters' case.
Status CheckHeaders(const StatementContext& context, const std::vector<DataFile>& files,
                    const StructType& columns, const plan::Options& options) {
  const auto join = [](const auto& names, const auto& text) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + text(name);
    return list;
  };
  for (const DataFile& file : files) {
    engine::TextRecordsSpec spec = RecordsOf("csv", {file}, options);
    spec.skip_header = false;
    MERGANSER_ASSIGN_OR_RETURN(const auto header,
                               FirstCsvRecord(context, RecordsSql(spec), options, true));
    bool same = header.empty() || header.size() == columns.size();
    for (size_t i = 0; same && i < header.size(); ++i)
      same = EqualsIgnoringCase(header[i].value_or(""), columns[i].name);
    if (same) continue;
    Error cause(ErrorClass::CSV_HEADER_DIFFERS,
                {{"header", join(header, [](const auto& name) { return name.value_or(""); })},
                 {"schema", join(columns, [](const StructField& field) { return field.name; })}});
    return Error(ErrorClass::FAILED_READ_FILE,
                 {{"path", (file.path.starts_with("/") ? "file://" : "") + file.path}}, "NO_HINT")
        .CausedBy(std::move(cause));
  }
  return Status::Ok();
}

/// `records` has the columns `record`, `file` and then those of the folders.
std::string ReadRecordsSql(const StatementContext& context, const std::string& format,
                           const std::string& records, const StructType& columns,
                           const plan::Options& options) {
  // Without columns, rows still count.
  if (columns.empty()) return records;
  return fmt::format("mg_read_{}((SELECT * FROM {} AS records), {}, {}, {})", format, records,
                     engine::QuoteString(DataType::Struct(columns).SqlString()),
                     engine::QuoteString(OptionsJson(options)),
                     engine::QuoteString(context.conf.session_time_zone()));
}

Result<std::string> TextScan(const StatementContext& context, const BoundFileScan& scan,
                             const std::vector<DataFile>& files,
                             const std::vector<StructField>& columns) {
  const StructType own = OwnColumns(files, columns);
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(scan.format, own, {}));
  const engine::TextRecordsSpec spec = RecordsOf(scan.format, files, scan.options);
  if (scan.format == "text") {
    std::string list;
    if (!own.empty()) list = "record AS " + engine::QuoteIdentifier(own[0].name);
    for (const std::string& column : spec.folder_columns)
      list += (list.empty() ? "" : ", ") + engine::QuoteIdentifier(column);
    return fmt::format("(SELECT {} FROM {} AS records)", list.empty() ? "record" : list,
                       RecordsSql(spec));
  }
  MERGANSER_RETURN_IF_ERROR(CheckCorruptColumn(own, scan.options, /*from_files=*/true));
  const bool checks_header =
      scan.format == "csv" && scan.declared && IsOptionOn(scan.options, "header") &&
      EqualsIgnoringCase(FileOption(scan.options, "enforceSchema", "true"), "false");
  if (checks_header) MERGANSER_RETURN_IF_ERROR(CheckHeaders(context, files, own, scan.options));
  return ReadRecordsSql(context, scan.format, RecordsSql(spec), own, scan.options);
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

Result<std::string> TextRecordsSql(StatementScans& scans, const BoundRelation& records,
                                   const std::string& format, const plan::Options& options) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(records, scans.lowering()));
  const std::string column = EngineColumn(records.columns[0].id);
  std::string condition = fmt::format("trim({}, {}) <> ''", column, "chr(32) || chr(9)");
  const std::string comment = format == "csv" ? FileOption(options, "comment", "") : "";
  if (!comment.empty())
    condition += fmt::format(" AND NOT starts_with({}, {})", column, engine::QuoteString(comment));
  std::string texts = fmt::format(
      "(SELECT {0} AS record, CAST(NULL AS VARCHAR) AS file FROM ({1}) AS texts WHERE {2})", column,
      sql, condition);
  if (format != "csv" || !IsOptionOn(options, "header")) return texts;
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable first,
                             scans.context().connection->QueryTable("SELECT record FROM " + texts +
                                                                    " AS records LIMIT 1"));
  if (first.num_rows() == 0) return texts;
  return fmt::format("(SELECT * FROM {} AS records WHERE record <> {})", texts,
                     engine::QuoteString(first.String(0, 0)));
}

Result<std::string> FileScanSql(StatementScans& scans, const BoundFileScan& scan,
                                const std::vector<BoundColumn>& columns) {
  const StatementContext& context = scans.context();
  if (!IsFileFormat(scan.format))
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", scan.format}});
  MERGANSER_RETURN_IF_ERROR(CheckTextOptions(scan.format, scan.options, /*writes=*/false));
  std::vector<StructField> fields;
  for (size_t i = 0; i < scan.columns.size(); ++i)
    fields.push_back({scan.columns[i], columns[i].type, true, {}});
  if (scan.records != nullptr) {
    const StructType own(fields);
    MERGANSER_RETURN_IF_ERROR(CheckCorruptColumn(own, scan.options, /*from_files=*/false));
    MERGANSER_ASSIGN_OR_RETURN(const std::string records,
                               TextRecordsSql(scans, *scan.records, scan.format, scan.options));
    return ReadRecordsSql(context, scan.format, records, own, scan.options);
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto files, FindDataFiles(context, scan.paths));
  if (files.empty()) {
    std::string none;
    for (const StructField& field : fields) {
      none += fmt::format("{}CAST(NULL AS {}) AS {}", none.empty() ? "" : ", ",
                          EngineType(field.type), engine::QuoteIdentifier(field.name));
    }
    return fmt::format("(SELECT {} WHERE FALSE)", none.empty() ? "1" : none);
  }
  if (scan.format == "parquet") return ParquetScan(files, fields, scan.declared);
  return TextScan(context, scan, files, fields);
}

}  // namespace merganser
