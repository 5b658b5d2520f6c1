#include "merganser/commands/file_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uuid.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/commands/file_scan.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

constexpr std::array<std::string_view, 3> kFormats = {"parquet", "csv", "json"};

/// A table of files, as far as writing goes.
struct FileTarget {
  std::string format;
  FileLocation location;
  StructType schema;
  std::vector<std::string> partition_columns;
  plan::Options options;
};

bool IsPartitionColumn(const FileTarget& target, const std::string& name) {
  return std::ranges::find(target.partition_columns, name) != target.partition_columns.end();
}

/// The type that a reader without further knowledge sees: text formats have no times of their own.
DataType InferredType(const DataType& type, const std::string& format) {
  if (format == "parquet") return type;
  switch (type.id()) {
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
    case TypeId::kBinary:
    case TypeId::kNull:
      return DataType::String();
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
      return format == "json" ? DataType::Long() : DataType::Integer();
    case TypeId::kFloat:
      return DataType::Double();
    case TypeId::kArray:
      return DataType::Array(InferredType(type.element(), format));
    case TypeId::kStruct: {
      StructType fields;
      for (StructField field : type.fields()) {
        field.type = InferredType(field.type, format);
        fields.Add(std::move(field));
      }
      std::ranges::sort(fields.fields(), {}, &StructField::name);
      return DataType::Struct(std::move(fields));
    }
    default:
      return type;
  }
}

/// What the engine sees in the files, without the columns of their folders.
Result<StructType> SniffSchema(StatementContext& context, const std::string& format,
                               const std::vector<DataFile>& files, const plan::Options& options) {
  std::string list;
  for (const DataFile& file : files)
    list += (list.empty() ? "" : ", ") + engine::QuoteString(file.path);
  std::string scan;
  if (format == "csv") {
    const bool header = EqualsIgnoringCase(FileOption(options, "header", "false"), "true");
    const bool infer = EqualsIgnoringCase(FileOption(options, "inferSchema", "false"), "true");
    const std::string separator = FileOption(options, "sep", FileOption(options, "delimiter", ","));
    scan = fmt::format(
        "read_csv([{}], header = {}, delim = {}, quote = {}, all_varchar = {}, hive_partitioning = "
        "false)",
        list, header, engine::QuoteString(separator),
        engine::QuoteString(FileOption(options, "quote", "\"")), !infer);
  } else if (format == "json") {
    scan = fmt::format(
        "read_json([{}], union_by_name = true, map_inference_threshold = -1, hive_partitioning = "
        "false)",
        list);
  } else {
    scan = fmt::format("read_parquet([{}], union_by_name = true, hive_partitioning = false)", list);
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  MERGANSER_ASSIGN_OR_RETURN(const auto stream,
                             connection->Query("SELECT * FROM " + scan + " LIMIT 0"));
  StructType schema;
  for (size_t i = 0; i < stream->schema().size(); ++i) {
    StructField field = stream->schema()[i];
    const bool unnamed =
        format == "csv" && !EqualsIgnoringCase(FileOption(options, "header", "false"), "true");
    if (unnamed) field.name = fmt::format("_c{}", i);
    field.type = InferredType(field.type, format);
    field.nullable = true;
    schema.Add(std::move(field));
  }
  if (format == "json") std::ranges::sort(schema.fields(), {}, &StructField::name);
  return schema;
}

/// Rows of `rows`, whose columns are those of the target, into new files.
Status WriteParquet(StatementContext& context, const std::string& rows,
                    const std::vector<BoundColumn>& columns, const FileTarget& target,
                    UncommittedFiles& files) {
  engine::SinkSpec spec;
  spec.root = target.location.path;
  spec.file_system = target.location.file_system;
  engine::SinkFamily family;
  family.schema = target.schema;
  family.partition_columns = target.partition_columns;
  spec.families.push_back(std::move(family));
  spec.routes.push_back({{{.family = 0, .columns = {}}}});
  std::string sql = "SELECT CAST(0 AS INTEGER) AS route";
  for (const BoundColumn& column : columns) sql += ", " + EngineColumn(column.id);
  auto written =
      engine::RunSink(*context.connection, fmt::format("{} FROM ({}) AS written", sql, rows), spec,
                      files.created());
  return written.ok() ? Status::Ok() : Status(std::move(written).error());
}

/// A value in the form in which text files hold it. Binary values and times have a form of their
/// own.
Result<std::string> TextValue(StatementContext& context, const BoundColumn& column,
                              const LoweringContext& lowering) {
  const std::string name = EngineColumn(column.id);
  if (column.type.is(TypeId::kTimestamp))
    return fmt::format("strftime({}, '%Y-%m-%dT%H:%M:%S.%gZ')", name);
  if (column.type.is(TypeId::kTimestampNtz))
    return fmt::format("strftime({}, '%Y-%m-%dT%H:%M:%S.%g')", name);
  MERGANSER_ASSIGN_OR_RETURN(const auto text,
                             ResolveCast(ColumnReference(column), DataType::String(),
                                         /*is_try=*/false, context.typing()));
  return LowerExpression(*text, lowering);
}

Status WriteText(StatementContext& context, StatementScans& scans, const std::string& rows,
                 const std::vector<BoundColumn>& columns, const FileTarget& target,
                 UncommittedFiles& files) {
  std::string list;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::string value = EngineColumn(columns[i].id);
    const bool as_text = target.format == "csv" || columns[i].type.is(TypeId::kTimestamp) ||
                         columns[i].type.is(TypeId::kTimestampNtz);
    if (as_text && !IsPartitionColumn(target, target.schema[i].name)) {
      MERGANSER_ASSIGN_OR_RETURN(value, TextValue(context, columns[i], scans.lowering()));
    }
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", value,
                        engine::QuoteIdentifier(target.schema[i].name));
  }
  std::string options = "FORMAT " + target.format;
  if (target.format == "csv") {
    options +=
        fmt::format(", HEADER {}, DELIMITER {}, QUOTE {}, ESCAPE {}, NULLSTR {}",
                    EqualsIgnoringCase(FileOption(target.options, "header", "false"), "true"),
                    engine::QuoteString(FileOption(target.options, "sep",
                                                   FileOption(target.options, "delimiter", ","))),
                    engine::QuoteString(FileOption(target.options, "quote", "\"")),
                    engine::QuoteString(FileOption(target.options, "escape", "\\")),
                    engine::QuoteString(FileOption(target.options, "nullValue", "")));
  }
  const std::string name = "part-00000-" + RandomUuid() + "-c000";
  std::string place = JoinPath(target.location.path, name + "." + target.format);
  if (target.partition_columns.empty()) {
    files.created().Add(place);
  } else {
    std::string partitions;
    for (const std::string& column : target.partition_columns) {
      partitions += (partitions.empty() ? "" : ", ") + engine::QuoteIdentifier(column);
    }
    options += fmt::format(", PARTITION_BY ({}), APPEND, FILENAME_PATTERN {}", partitions,
                           engine::QuoteString("part-{uuid}"));
    place = target.location.path;
  }
  auto written =
      context.connection->Execute(fmt::format("COPY (SELECT {} FROM ({}) AS written) TO {} ({})",
                                              list, rows, engine::QuoteString(place), options));
  return written.ok() ? Status::Ok() : Status(std::move(written).error());
}

Status WriteFiles(StatementContext& context, const BoundRelationPtr& rows, const FileTarget& target,
                  UncommittedFiles& files) {
  MERGANSER_RETURN_IF_ERROR(target.location.file_system->CreateDirectories(target.location.path));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*rows, scans.lowering()));
  if (target.format == "parquet") return WriteParquet(context, sql, rows->columns, target, files);
  return WriteText(context, scans, sql, rows->columns, target, files);
}

Status DeleteFiles(const FileLocation& location, const std::vector<DataFile>& files) {
  for (const DataFile& file : files)
    MERGANSER_RETURN_IF_ERROR(location.file_system->Delete(file.path));
  return Status::Ok();
}

StructType SchemaOfRows(const BoundRelation& query) {
  StructType schema;
  for (const BoundColumn& column : query.columns) schema.Add({column.name, column.type, true, {}});
  return schema;
}

/// Partition columns stand last, as Spark keeps them in tables of files.
Result<StructType> WithPartitionsLast(const StructType& schema,
                                      std::vector<std::string>& partition_columns) {
  StructType ordered;
  StructType last;
  for (std::string& name : partition_columns) {
    const StructField* field = schema.Find(name);
    if (field == nullptr) {
      return Error(ErrorClass::COLUMN_NOT_DEFINED_IN_TABLE, {{"colType", "partition"},
                                                             {"colName", QuotedIdentifier(name)},
                                                             {"tableName", ""},
                                                             {"tableCols", ""}});
    }
    name = field->name;
    last.Add(*field);
  }
  for (const StructField& field : schema) {
    if (last.Find(field.name) == nullptr) ordered.Add(field);
  }
  if (ordered.empty()) return Error(ErrorClass::ALL_PARTITION_COLUMNS_NOT_ALLOWED);
  for (const StructField& field : last) ordered.Add(field);
  return ordered;
}

/// `query` with its columns stored in those of the target, in the target's order. Static partition
/// values are added.
Result<BoundRelationPtr> AlignRows(StatementContext& context, Analyzer& analyzer,
                                   const plan::InsertInto& command, const BoundRelationPtr& query,
                                   const FileTarget& target, const std::string& table_name) {
  BoundProject project{query, {}};
  std::vector<BoundColumn> columns;
  size_t next = 0;
  size_t expected = 0;
  for (const StructField& field : target.schema) {
    const auto fixed = std::ranges::find_if(command.partition, [&](const auto& entry) {
      return entry.second != nullptr && EqualsIgnoringCase(entry.first, field.name);
    });
    BoundExpressionPtr value;
    if (fixed != command.partition.end()) {
      MERGANSER_ASSIGN_OR_RETURN(value, analyzer.BindExpression(fixed->second, Scope()));
    } else {
      ++expected;
      const size_t position = next++;
      if (position < query->columns.size()) value = ColumnReference(query->columns[position]);
    }
    if (value == nullptr) continue;
    MERGANSER_ASSIGN_OR_RETURN(
        const BoundExpressionPtr stored,
        StoreAssign(value, field, context.conf.store_assignment_policy(), analyzer.typing()));
    const ColumnId id = analyzer.NextId();
    columns.push_back({id, field.name, field.type, stored->nullable, {}});
    project.outputs.push_back({stored, id});
  }
  if (query->columns.size() != expected) {
    std::string own;
    for (const StructField& field : target.schema)
      own += (own.empty() ? "`" : ", `") + field.name + "`";
    std::string given;
    for (const BoundColumn& column : query->columns)
      given += (given.empty() ? "`" : ", `") + column.name + "`";
    return Error(
        ErrorClass::INSERT_COLUMN_ARITY_MISMATCH,
        {{"tableName", table_name}, {"tableColumns", own}, {"dataColumns", given}},
        query->columns.size() < expected ? "NOT_ENOUGH_DATA_COLUMNS" : "TOO_MANY_DATA_COLUMNS");
  }
  return MakeBoundRelation(std::move(project), std::move(columns));
}

/// The files that an INSERT OVERWRITE replaces: all, or those of the partition it names.
std::vector<DataFile> Overwritten(const plan::InsertInto& command, std::vector<DataFile> files,
                                  Analyzer& analyzer) {
  for (const auto& [name, expression] : command.partition) {
    if (expression == nullptr) continue;
    const auto constant =
        analyzer.EvaluateConstant(plan::MakeExpression(plan::Cast{expression, DataType::String()}));
    if (!constant.ok()) continue;
    std::optional<std::string> wanted;
    if (!constant->is_null()) wanted = std::get<std::string>(constant->value);
    std::erase_if(files, [&, &column = name](const DataFile& file) {
      return std::ranges::none_of(file.partition_values, [&](const auto& value) {
        return EqualsIgnoringCase(value.first, column) && value.second == wanted;
      });
    });
  }
  return files;
}

}  // namespace

Result<StructType> InferFileSchema(StatementContext& context, const std::string& format,
                                   const std::vector<std::string>& paths,
                                   const plan::Options& options) {
  if (std::ranges::find(kFormats, format) == kFormats.end()) {
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", format}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto files, FindDataFiles(context, paths));
  if (files.empty()) return Error(ErrorClass::UNABLE_TO_INFER_SCHEMA, {{"format", format}});
  MERGANSER_ASSIGN_OR_RETURN(StructType schema, SniffSchema(context, format, files, options));
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

Result<ResultSet> CreateFileTable(StatementContext& context, Analyzer& analyzer,
                                  const plan::CreateTable& command, const std::string& format,
                                  const TableDestination& destination) {
  if (std::ranges::find(kFormats, format) == kFormats.end()) {
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", format}});
  }
  if (command.replace) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"tableName", destination.quoted_name()}, {"operation", "REPLACE TABLE"}},
                 "TABLE_OPERATION");
  }
  FileTarget target{format, destination.location, {}, {}, command.options};
  for (const auto& path : command.partition_by) target.partition_columns.push_back(path.back());
  BoundRelationPtr query;
  if (command.query != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(query, analyzer.BindQuery(command.query));
    target.schema = SchemaOfRows(*query);
  } else if (!command.columns.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(target.schema,
                               SchemaOfColumns(analyzer, command.columns, "CREATE TABLE"));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(
        target.schema,
        InferFileSchema(context, format, {destination.location.uri}, command.options));
    auto files = FindDataFiles(context, {destination.location.uri});
    if (files.ok()) {
      for (const StructField& column : InferPartitionColumns(*files))
        target.partition_columns.push_back(column.name);
    }
  }
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(target.schema));
  MERGANSER_ASSIGN_OR_RETURN(const StructType ordered,
                             WithPartitionsLast(target.schema, target.partition_columns));
  UncommittedFiles files(destination.location.file_system);
  if (query != nullptr) {
    // The rows keep the query's order of columns; the sink finds partition columns by name.
    MERGANSER_RETURN_IF_ERROR(WriteFiles(context, query, target, files));
  } else if (destination.managed) {
    MERGANSER_RETURN_IF_ERROR(target.location.file_system->CreateDirectories(target.location.path));
  }
  if (destination.identifier) {
    WarehouseEntry entry;
    entry.provider = format;
    entry.location = destination.location.uri;
    entry.managed = destination.managed;
    entry.schema = ordered;
    entry.partition_columns = target.partition_columns;
    entry.options = command.options;
    entry.comment = command.comment;
    entry.properties = command.properties;
    MERGANSER_RETURN_IF_ERROR(
        context.catalog.warehouse().Add(*destination.identifier, entry, /*replace=*/false));
  }
  files.Settle(Status::Ok());
  return ResultSet();
}

Status InsertIntoFiles(StatementContext& context, Analyzer& analyzer,
                       const plan::InsertInto& command, const CatalogTable& table) {
  FileTarget target{
      table.provider, table.location, {}, table.entry.partition_columns, table.entry.options};
  if (table.entry.schema) {
    target.schema = *table.entry.schema;
  } else {
    MERGANSER_ASSIGN_OR_RETURN(
        target.schema,
        InferFileSchema(context, table.provider, {table.location.uri}, table.entry.options));
  }
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer.BindQuery(command.query));
  const std::string name =
      table.identifier ? table.identifier->Quoted() : QuotedIdentifier(table.location.path);
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr rows,
                             AlignRows(context, analyzer, command, query, target, name));
  std::vector<DataFile> old;
  if (command.overwrite) {
    MERGANSER_ASSIGN_OR_RETURN(auto files, ListDataFiles(target.location));
    old = Overwritten(command, std::move(files), analyzer);
  }
  UncommittedFiles files(target.location.file_system);
  MERGANSER_RETURN_IF_ERROR(WriteFiles(context, rows, target, files));
  files.Settle(Status::Ok());
  return DeleteFiles(target.location, old);
}

Status SaveFiles(StatementContext& context, const plan::Write& command, const std::string& format) {
  if (std::ranges::find(kFormats, format) == kFormats.end())
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", format}});
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                             context.catalog.file_systems().Resolve(*command.path));
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, location.file_system->Exists(location.path));
  if (exists && command.mode == plan::SaveMode::kIgnore) return Status::Ok();
  if (exists && command.mode == plan::SaveMode::kErrorIfExists)
    return Error(ErrorClass::PATH_ALREADY_EXISTS, {{"outputPath", location.uri}});
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer->BindQuery(command.query));
  FileTarget target{format, location, SchemaOfRows(*query), command.partition_by, command.options};
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(target.schema));
  MERGANSER_RETURN_IF_ERROR([&]() -> Status {
    auto ordered = WithPartitionsLast(target.schema, target.partition_columns);
    return ordered.ok() ? Status::Ok() : Status(std::move(ordered).error());
  }());
  std::vector<DataFile> old;
  if (exists && command.mode == plan::SaveMode::kOverwrite) {
    MERGANSER_ASSIGN_OR_RETURN(old, ListDataFiles(location));
  }
  UncommittedFiles files(location.file_system);
  MERGANSER_RETURN_IF_ERROR(WriteFiles(context, query, target, files));
  files.Settle(Status::Ok());
  return DeleteFiles(location, old);
}

Status TruncateFiles(const CatalogTable& table) {
  MERGANSER_ASSIGN_OR_RETURN(const auto files, ListDataFiles(table.location));
  return DeleteFiles(table.location, files);
}

}  // namespace merganser
