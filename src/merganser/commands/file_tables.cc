#include "merganser/commands/file_tables.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/base/uuid.h"
#include "merganser/commands/column_definitions.h"
#include "merganser/commands/file_scan.h"
#include "merganser/commands/file_schema.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/text_format.h"
#include "merganser/commands/text_write.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/sql_text.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

/// A table of files, as far as writing goes.
using FileTarget = TextTarget;

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

Status WriteFiles(StatementContext& context, const BoundRelationPtr& rows, const FileTarget& target,
                  UncommittedFiles& files) {
  MERGANSER_RETURN_IF_ERROR(target.location.file_system->CreateDirectories(target.location.path));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*rows, scans.lowering()));
  if (target.format == "parquet") return WriteParquet(context, sql, rows->columns, target, files);
  return WriteTextFiles(context, sql, rows->columns, target, files);
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

Result<ResultSet> CreateFileTable(StatementContext& context, Analyzer& analyzer,
                                  const plan::CreateTable& command, const std::string& format,
                                  const TableDestination& destination) {
  if (!IsFileFormat(format)) {
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
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(format, target.schema, target.partition_columns));
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
  MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                             target.location.file_system->Exists(target.location.path));
  if (command.overwrite && exists) {
    MERGANSER_ASSIGN_OR_RETURN(auto files, ListDataFiles(target.location));
    old = Overwritten(command, std::move(files), analyzer);
  }
  UncommittedFiles files(target.location.file_system);
  MERGANSER_RETURN_IF_ERROR(WriteFiles(context, rows, target, files));
  files.Settle(Status::Ok());
  return DeleteFiles(target.location, old);
}

Status SaveFiles(StatementContext& context, const plan::Write& command, const std::string& format) {
  if (!IsFileFormat(format))
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
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(format, target.schema, target.partition_columns));
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
