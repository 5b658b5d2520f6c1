#include "merganser/commands/write.h"

#include <optional>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/create_table.h"
#include "merganser/commands/file_tables.h"
#include "merganser/commands/insert.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/table_destination.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/spark/analysis/find_option.h"
#include "merganser/spark/catalog/data_source_name.h"

namespace merganser {
namespace {

using plan::SaveMode;

/// The format that keeps nothing.
constexpr std::string_view kNowhere = "noop";

bool IsSwitchedOn(const plan::Options& options, std::string_view key) {
  const std::string* value = FindOption(options, key);
  return value != nullptr && EqualsIgnoringCase(*value, "true");
}

/// The table properties among the options of a write.
plan::Options PropertiesOf(const plan::Options& options) {
  plan::Options properties;
  for (const auto& [key, value] : options) {
    if (AsciiLowerCase(key).starts_with("delta.")) properties.emplace(key, value);
  }
  return properties;
}

std::vector<std::vector<std::string>> Paths(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> paths;
  for (const std::string& name : names) paths.push_back({name});
  return paths;
}

plan::CreateTable Creation(const plan::Write& command, plan::MultipartName name) {
  plan::CreateTable create;
  create.name = std::move(name);
  create.provider = command.format;
  create.partition_by = Paths(command.partition_by);
  create.cluster_by = Paths(command.cluster_by);
  create.properties = PropertiesOf(command.options);
  create.options = command.options;
  create.query = command.query;
  return create;
}

plan::InsertInto Insertion(const plan::Write& command, plan::MultipartName name) {
  plan::InsertInto insert;
  insert.target = std::move(name);
  insert.by_name = !command.insert_into;
  insert.overwrite = command.mode == SaveMode::kOverwrite;
  insert.with_schema_evolution = command.with_schema_evolution;
  insert.partition_by = command.partition_by;
  insert.options = command.options;
  insert.query = command.query;
  return insert;
}

/// Is the whole table, its schema included, to be replaced?
bool ReplacesTable(const plan::Write& command) {
  return command.mode == SaveMode::kOverwrite && IsSwitchedOn(command.options, "overwriteSchema") &&
         FindOption(command.options, "replaceWhere") == nullptr;
}

Result<ResultSet> SaveAsTable(StatementContext& context, const plan::Write& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(*command.table));
  std::optional<std::string> location;
  if (const std::string* path = FindOption(command.options, "path")) location = *path;
  MERGANSER_ASSIGN_OR_RETURN(const TableDestination destination,
                             FindDestination(context, name, location));
  const bool exists = destination.is_taken();
  if (exists && command.mode == SaveMode::kErrorIfExists) return TableExists(destination);
  if (exists && command.mode == SaveMode::kIgnore) return ResultSet();
  if (exists && !ReplacesTable(command)) {
    plan::InsertInto insert = Insertion(command, *command.table);
    insert.saves_as_table = command.mode == SaveMode::kOverwrite;
    insert.merges_types = insert.saves_as_table;
    return RunInsert(context, insert);
  }
  plan::CreateTable create = Creation(command, *command.table);
  create.location = location;
  create.replace = command.mode == SaveMode::kOverwrite;
  create.saves_as_table = true;
  const bool is_delta = !command.format || DataSourceName(*command.format) == "delta";
  if (!is_delta) create.replace = false;
  return RunCreateTable(context, create);
}

const char* ModeName(SaveMode mode) {
  switch (mode) {
    case SaveMode::kErrorIfExists:
      return "ErrorIfExists";
    case SaveMode::kAppend:
      return "Append";
    case SaveMode::kOverwrite:
      return "Overwrite";
    case SaveMode::kIgnore:
      return "Ignore";
  }
  return "";
}

Result<ResultSet> Save(StatementContext& context, const plan::Write& command) {
  const std::string format = DataSourceName(command.format.value_or(context.conf.default_source()));
  if (format != "delta") {
    MERGANSER_RETURN_IF_ERROR(SaveFiles(context, command, format));
    return ResultSet();
  }
  const plan::MultipartName name{{"delta", *command.path}, nullptr, {}};
  MERGANSER_ASSIGN_OR_RETURN(const TableDestination destination,
                             FindDestination(context, name.parts, std::nullopt));
  const bool exists = destination.existing != nullptr;
  if (exists && command.mode == SaveMode::kErrorIfExists)
    return Error(ErrorClass::DELTA_PATH_EXISTS, {{"path", destination.location.uri}});
  if (exists && command.mode == SaveMode::kIgnore) return ResultSet();
  if (exists && !ReplacesTable(command)) {
    plan::InsertInto insert = Insertion(command, name);
    insert.merges_types = true;
    return RunInsert(context, insert);
  }
  plan::CreateTable create = Creation(command, name);
  create.provider = "delta";
  create.replace = exists;
  create.write_mode = ModeName(command.mode);
  return RunCreateTable(context, create);
}

/// Compute all rows and forget them.
Result<ResultSet> SaveNowhere(StatementContext& context, const plan::Write& command) {
  if (command.mode != SaveMode::kAppend && command.mode != SaveMode::kOverwrite) {
    return Error(ErrorClass::UNSUPPORTED_DATA_SOURCE_SAVE_MODE,
                 {{"source", std::string(kNowhere)}, {"createMode", ModeName(command.mode)}});
  }
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, analyzer->BindQuery(command.query));
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*query, scans.lowering()));
  MERGANSER_ASSIGN_OR_RETURN(const auto rows, context.connection->Query(sql));
  bool more = true;
  while (more) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows->Next());
    more = batch.has_value();
  }
  return ResultSet();
}

}  // namespace

Result<ResultSet> RunWrite(StatementContext& context, const plan::Write& command) {
  if (command.insert_into) return RunInsert(context, Insertion(command, *command.table));
  if (command.table) return SaveAsTable(context, command);
  if (DataSourceName(command.format.value_or("")) == kNowhere) return SaveNowhere(context, command);
  if (!command.path)
    return Error(ErrorClass::DELTA_OPERATION_MISSING_PATH, {{"operation", "save"}});
  return Save(context, command);
}

Result<ResultSet> RunWriteTo(StatementContext& context, const plan::WriteTo& command) {
  using plan::WriteToMode;
  switch (command.mode) {
    case WriteToMode::kCreate:
    case WriteToMode::kReplace:
    case WriteToMode::kCreateOrReplace: {
      plan::CreateTable create;
      create.name = command.table;
      create.provider = command.provider;
      create.partition_by = command.partition_by;
      create.cluster_by = command.cluster_by;
      create.properties = command.properties;
      create.options = command.options;
      create.replace = command.mode != WriteToMode::kCreate;
      create.create = command.mode != WriteToMode::kReplace;
      create.query = command.query;
      return RunCreateTable(context, create);
    }
    case WriteToMode::kAppend:
    case WriteToMode::kOverwrite:
    case WriteToMode::kOverwritePartitions: {
      plan::InsertInto insert;
      insert.target = command.table;
      insert.by_name = true;
      insert.overwrite = command.mode != WriteToMode::kAppend;
      insert.with_schema_evolution = command.with_schema_evolution;
      insert.options = command.options;
      if (command.mode == WriteToMode::kOverwrite) insert.replace_where = command.condition;
      if (command.mode == WriteToMode::kOverwritePartitions)
        insert.options["partitionOverwriteMode"] = "dynamic";
      insert.query = command.query;
      return RunInsert(context, insert);
    }
  }
  return Error::Internal("a write of an unknown mode");
}

}  // namespace merganser
