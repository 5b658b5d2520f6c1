#include "merganser/commands/file_schema.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/commands/file_scan.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/text_format.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

using Fields = std::vector<std::optional<std::string>>;

// A connection of its own: the statement's may be busy with a query. Only the statement's knows
// rows that came with it.
Result<engine::RowTable> Ask(const StatementContext& context, const std::string& sql,
                             bool of_files) {
  if (!of_files) return context.connection->QueryTable(sql);
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  return connection->QueryTable(sql);
}

Result<StructType> ParquetSchema(const StatementContext& context,
                                 const std::vector<DataFile>& files) {
  std::string list;
  for (const DataFile& file : files)
    list += (list.empty() ? "" : ", ") + engine::QuoteString(file.path);
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  MERGANSER_ASSIGN_OR_RETURN(
      const auto stream,
      connection->Query(fmt::format("SELECT * FROM read_parquet([{}], union_by_name = true, "
                                    "hive_partitioning = false) LIMIT 0",
                                    list)));
  StructType schema;
  for (StructField field : stream->schema()) {
    field.nullable = true;
    schema.Add(std::move(field));
  }
  return schema;
}

/// What one of the aggregates of inference says of the records; no columns if there are none.
Result<StructType> Inferred(const StatementContext& context, const char* function,
                            const std::string& records, const plan::Options& options,
                            bool of_files) {
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable answer,
      Ask(context,
          fmt::format("SELECT {}(record, {}, {}) FROM {} AS records", function,
                      engine::QuoteString(OptionsJson(options)),
                      engine::QuoteString(context.conf.session_time_zone()), records),
          of_files));
  if (answer.IsNull(0, 0)) return StructType();
  return ParseSchemaJson(answer.String(0, 0));
}

/// Names of columns after a header: those that are there twice in letters of any case carry their
/// number, those that are NULL are called by it.
std::vector<std::string> CsvNames(const Fields& first, bool header) {
  std::vector<std::string> names;
  for (size_t i = 0; i < first.size(); ++i) {
    if (!header || !first[i]) {
      names.push_back(fmt::format("_c{}", i));
      continue;
    }
    const auto same = [&](const std::optional<std::string>& other) {
      return other && EqualsIgnoringCase(*other, *first[i]);
    };
    names.push_back(std::ranges::count_if(first, same) > 1 ? fmt::format("{}{}", *first[i], i)
                                                           : *first[i]);
  }
  return names;
}

/// `rows` are the records without headers.
Result<StructType> CsvSchema(const StatementContext& context, const Fields& first,
                             const std::string& rows, const plan::Options& options, bool of_files) {
  StructType types;
  if (!first.empty() && IsOptionOn(options, "inferSchema")) {
    MERGANSER_ASSIGN_OR_RETURN(types, Inferred(context, "mg_infer_csv", rows, options, of_files));
  }
  StructType schema;
  for (std::string& name : CsvNames(first, IsOptionOn(options, "header"))) {
    const size_t i = schema.size();
    schema.Add({std::move(name), i < types.size() ? types[i].type : DataType::String(), true, {}});
  }
  return schema;
}

Result<StructType> SchemaOfFiles(const StatementContext& context, const std::string& format,
                                 const std::vector<DataFile>& files, const plan::Options& options) {
  if (format == "parquet") return ParquetSchema(context, files);
  if (format == "text") return StructType({{"value", DataType::String(), true, {}}});
  const engine::TextRecordsSpec spec = RecordsOf(format, files, options);
  if (format == "json") return Inferred(context, "mg_infer_json", RecordsSql(spec), options, true);
  Fields first;
  for (size_t i = 0; i < files.size() && first.empty(); ++i) {
    engine::TextRecordsSpec one = RecordsOf(format, {files[i]}, options);
    one.skip_header = false;
    MERGANSER_ASSIGN_OR_RETURN(first, FirstCsvRecord(context, RecordsSql(one), options, true));
  }
  return CsvSchema(context, first, RecordsSql(spec), options, true);
}

}  // namespace

Result<std::vector<std::optional<std::string>>> FirstCsvRecord(const StatementContext& context,
                                                               const std::string& records,
                                                               const plan::Options& options,
                                                               bool of_files) {
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable table,
      Ask(context,
          fmt::format("SELECT unnest(mg_csv_fields(record, {})) FROM (SELECT record FROM {} AS "
                      "records LIMIT 1)",
                      engine::QuoteString(OptionsJson(options)), records),
          of_files));
  Fields fields;
  for (int64_t row = 0; row < table.num_rows(); ++row) {
    fields.push_back(table.IsNull(row, 0) ? std::nullopt
                                          : std::optional<std::string>(table.String(row, 0)));
  }
  return fields;
}

Result<StructType> InferFileSchema(StatementContext& context, const std::string& format,
                                   const std::vector<std::string>& paths,
                                   const plan::Options& options) {
  if (!IsFileFormat(format))
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", format}});
  MERGANSER_RETURN_IF_ERROR(CheckTextOptions(format, options, /*writes=*/false));
  MERGANSER_ASSIGN_OR_RETURN(const auto files, FindDataFiles(context, paths));
  if (files.empty() && format != "text")
    return Error(ErrorClass::UNABLE_TO_INFER_SCHEMA, {{"format", format}});
  MERGANSER_ASSIGN_OR_RETURN(StructType schema, SchemaOfFiles(context, format, files, options));
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(schema));
  StructType folders = InferPartitionColumns(files);
  for (StructField& column : folders.fields()) {
    const int index = schema.IndexOf(column.name);
    if (index >= 0) {
      schema.fields()[static_cast<size_t>(index)] = std::move(column);
    } else {
      schema.Add(std::move(column));
    }
  }
  return schema;
}

Result<StructType> InferRecordSchema(StatementContext& context, const std::string& format,
                                     const BoundRelationPtr& records,
                                     const plan::Options& options) {
  MERGANSER_RETURN_IF_ERROR(CheckTextOptions(format, options, /*writes=*/false));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql,
                             TextRecordsSql(scans, *records, format, options));
  StructType schema;
  if (format == "json") {
    MERGANSER_ASSIGN_OR_RETURN(schema, Inferred(context, "mg_infer_json", sql, options, false));
  } else {
    plan::Options with_header = options;
    std::erase_if(with_header,
                  [](const auto& option) { return EqualsIgnoringCase(option.first, "header"); });
    MERGANSER_ASSIGN_OR_RETURN(const std::string all,
                               TextRecordsSql(scans, *records, format, with_header));
    MERGANSER_ASSIGN_OR_RETURN(const Fields first, FirstCsvRecord(context, all, options, false));
    MERGANSER_ASSIGN_OR_RETURN(schema, CsvSchema(context, first, sql, options, false));
  }
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(schema));
  return schema;
}

}  // namespace merganser
