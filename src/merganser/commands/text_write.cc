#include "merganser/commands/text_write.h"

#include <algorithm>

#include <fmt/format.h>

#include "merganser/base/uuid.h"
#include "merganser/commands/text_format.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sql_text.h"

namespace merganser {
namespace {

bool IsFolderColumn(const TextTarget& target, const std::string& name) {
  return std::ranges::find(target.partition_columns, name) != target.partition_columns.end();
}

/// A call of one of the engine's writers of text, of a struct with the given type.
std::string TextOf(const StatementContext& context, const char* function, const std::string& row,
                   const StructType& type, const plan::Options& options) {
  return fmt::format("{}({}, {}, {}, {})", function, row,
                     engine::QuoteString(DataType::Struct(type).SqlString()),
                     engine::QuoteString(OptionsJson(options)),
                     engine::QuoteString(context.conf.session_time_zone()));
}

/// The header line of CSV files.
Result<std::string> HeaderLine(const StatementContext& context, const StructType& columns,
                               const plan::Options& options) {
  StructType texts;
  std::string names;
  for (const StructField& column : columns) {
    texts.Add({column.name, DataType::String(), true, {}});
    names += fmt::format("{}{} := {}", names.empty() ? "" : ", ",
                         engine::QuoteIdentifier(column.name), engine::QuoteString(column.name));
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable line,
      connection->QueryTable(
          "SELECT " + TextOf(context, "mg_to_csv", "struct_pack(" + names + ")", texts, options)));
  return line.String(0, 0);
}

}  // namespace

Status WriteTextFiles(StatementContext& context, const std::string& rows,
                      const std::vector<BoundColumn>& columns, const TextTarget& target,
                      UncommittedFiles& files) {
  MERGANSER_RETURN_IF_ERROR(CheckTextOptions(target.format, target.options, /*writes=*/true));
  MERGANSER_RETURN_IF_ERROR(
      CheckColumnTypes(target.format, target.schema, target.partition_columns));
  StructType own;
  std::string fields;
  std::string folders;
  std::string value = "NULL";
  for (size_t i = 0; i < columns.size(); ++i) {
    const StructField& field = target.schema[i];
    const std::string column = EngineColumn(columns[i].id);
    if (IsFolderColumn(target, field.name)) {
      folders += fmt::format(", {} AS {}", column, engine::QuoteIdentifier(field.name));
      continue;
    }
    own.Add({field.name, columns[i].type, true, {}});
    value = column;
    fields += fmt::format("{}{} := {}", fields.empty() ? "" : ", ",
                          engine::QuoteIdentifier(field.name), column);
  }
  std::string header;
  if (target.format != "text") {
    const char* function = target.format == "csv" ? "mg_to_csv" : "mg_to_json";
    value = TextOf(context, function, "struct_pack(" + fields + ")", own, target.options);
    if (target.format == "csv" && IsOptionOn(target.options, "header")) {
      MERGANSER_ASSIGN_OR_RETURN(header, HeaderLine(context, own, target.options));
    }
  }
  const std::string suffix = TextFileSuffix(target.format, target.options);
  std::string options = "FORMAT mg_lines, SPEC " +
                        engine::QuoteString(LineWriterSpec(target.format, target.options, header));
  std::string place =
      JoinPath(target.location.path, "part-00000-" + RandomUuid() + "-c000" + suffix);
  if (target.partition_columns.empty()) {
    files.created().Add(place);
  } else {
    std::string partitions;
    for (const std::string& column : target.partition_columns)
      partitions += (partitions.empty() ? "" : ", ") + engine::QuoteIdentifier(column);
    options += fmt::format(", PARTITION_BY ({}), APPEND, FILENAME_PATTERN {}, FILE_EXTENSION {}",
                           partitions, engine::QuoteString("part-{uuid}"),
                           engine::QuoteString(suffix.substr(1)));
    place = target.location.path;
  }
  auto written = context.connection->Execute(
      fmt::format("COPY (SELECT {} AS \"mg line\"{} FROM ({}) AS written) TO {} ({})", value,
                  folders, rows, engine::QuoteString(place), options));
  return written.ok() ? Status::Ok() : Status(std::move(written).error());
}

}  // namespace merganser
