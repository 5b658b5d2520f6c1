#include "merganser/commands/show.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/create_statement.h"
#include "merganser/commands/data_files.h"
#include "merganser/commands/name_pattern.h"
#include "merganser/commands/query.h"
#include "merganser/commands/table_properties_view.h"
#include "merganser/commands/target_table.h"
#include "merganser/spark/analysis/delta_table_functions.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

StructField Text(const char* name, bool nullable = false) {
  return {name, DataType::String(), nullable, {}};
}

/// The schema of that name, the current one for none. Fails with SCHEMA_NOT_FOUND.
Result<std::string> FindSchema(StatementContext& context, Analyzer& analyzer,
                               const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(name));
  MERGANSER_ASSIGN_OR_RETURN(std::string schema, context.catalog.IdentifySchema(parts));
  MERGANSER_ASSIGN_OR_RETURN(const bool exists, context.catalog.warehouse().SchemaExists(schema));
  if (exists) return schema;
  return Error(ErrorClass::SCHEMA_NOT_FOUND,
               {{"schemaName", QuotedIdentifier(std::vector{std::string(kSparkCatalog), schema})}});
}

Result<ResultSet> ShowTables(StatementContext& context, Analyzer& analyzer,
                             const plan::Show& command, bool views) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string schema, FindSchema(context, analyzer, command.name));
  std::vector<std::vector<CommandCell>> rows;
  MERGANSER_ASSIGN_OR_RETURN(const auto tables, context.catalog.warehouse().ListTables(schema));
  for (const std::string& table : tables) {
    if (!MatchesPattern(command.pattern, table)) continue;
    if (views) {
      MERGANSER_ASSIGN_OR_RETURN(const auto entry,
                                 context.catalog.warehouse().Find({schema, table}));
      if (!entry || entry->provider != "view") continue;
    }
    rows.push_back({schema, table, false});
  }
  for (const std::string& view : context.catalog.temporary_views()) {
    if (MatchesPattern(command.pattern, view)) rows.push_back({"", view, true});
  }
  return CommandResult(context,
                       StructType({Text("namespace"),
                                   Text(views ? "viewName" : "tableName"),
                                   {"isTemporary", DataType::Boolean(), false, {}}}),
                       rows);
}

Result<ResultSet> ShowCatalogs(StatementContext& context, const plan::Show& command) {
  std::vector<std::vector<CommandCell>> rows;
  if (MatchesPattern(command.pattern, std::string(kSparkCatalog)))
    rows.push_back({std::string(kSparkCatalog)});
  return CommandResult(context, StructType({Text("catalog")}), rows);
}

/// The schemas of a catalogue. A schema has none of its own.
Result<ResultSet> ShowSchemas(StatementContext& context, Analyzer& analyzer,
                              const plan::Show& command) {
  std::vector<SchemaEntry> schemas;
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(command.name));
  if (parts.empty() || (parts.size() == 1 && context.catalog.IsOwnCatalog(parts[0]))) {
    MERGANSER_ASSIGN_OR_RETURN(schemas, context.catalog.warehouse().ListSchemas());
  } else {
    MERGANSER_RETURN_IF_ERROR(FindSchema(context, analyzer, command.name));
  }
  std::vector<std::vector<CommandCell>> rows;
  for (const SchemaEntry& schema : schemas) {
    if (MatchesPattern(command.pattern, schema.name)) rows.push_back({schema.name});
  }
  return CommandResult(context, StructType({Text("namespace")}), rows);
}

Result<ResultSet> ShowColumns(StatementContext& context, Analyzer& analyzer,
                              const plan::Show& command) {
  MERGANSER_ASSIGN_OR_RETURN(const AnalyzedRelation relation,
                             analyzer.BindRelation(plan::MakeRelation(
                                 plan::TableReference{command.name, std::nullopt, {}})));
  std::vector<std::vector<CommandCell>> rows;
  for (const BoundColumn& column : relation.relation->columns) rows.push_back({column.name});
  return CommandResult(context, StructType({Text("col_name")}), rows);
}

Status CheckPartitionColumns(const Snapshot& snapshot, const plan::Show& command) {
  std::string others;
  for (const auto& [column, value] : command.partition) {
    if (!snapshot.is_partition_column(column)) others += (others.empty() ? "" : ", ") + column;
  }
  if (others.empty()) return Status::Ok();
  return Error(ErrorClass::DELTA_SHOW_PARTITION_IN_NON_PARTITIONED_COLUMN, {{"badCols", others}});
}

/// Do the folders of `file` have the values that PARTITION (...) asks for?
Result<bool> IsInPartition(Analyzer& analyzer, const DataFile& file, const plan::Show& command) {
  for (const auto& [column, value] : command.partition) {
    if (value == nullptr) continue;
    MERGANSER_ASSIGN_OR_RETURN(
        const auto wanted,
        analyzer.EvaluateConstant(plan::MakeExpression(plan::Cast{value, DataType::String()})));
    const bool has_value = std::ranges::any_of(file.partition_values, [&](const auto& folder) {
      return EqualsIgnoringCase(folder.first, column) && folder.second && !wanted.is_null() &&
             *folder.second == std::get<std::string>(wanted.value);
    });
    if (!has_value) return false;
  }
  return true;
}

/// The folders of a table of files.
Result<ResultSet> ShowFilePartitions(StatementContext& context, Analyzer& analyzer,
                                     const plan::Show& command, const CatalogTable& table) {
  if (table.entry.partition_columns.empty()) {
    return Error(ErrorClass::INVALID_PARTITION_OPERATION, {{"name", table.identifier->Quoted()}},
                 "PARTITION_SCHEMA_IS_EMPTY");
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto files, ListDataFiles(table.location));
  std::set<std::string> folders;
  for (const DataFile& file : files) {
    MERGANSER_ASSIGN_OR_RETURN(const bool wanted, IsInPartition(analyzer, file, command));
    if (wanted) folders.emplace(ParentPath(file.relative_path));
  }
  std::vector<std::vector<CommandCell>> rows;
  for (const std::string& folder : folders) rows.push_back({folder});
  return CommandResult(context, StructType({Text("partition")}), rows);
}

/// The distinct partition values, by a query over the table itself.
Result<ResultSet> ShowPartitions(StatementContext& context, Analyzer& analyzer,
                                 const plan::Show& command) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(command.name));
  if (const auto* table = std::get_if<CatalogTable>(&entry);
      table != nullptr && !table->is_delta() && table->identifier)
    return ShowFilePartitions(context, analyzer, command, *table);
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(analyzer, command.name, "SHOW PARTITIONS"));
  if (target.snapshot->partition_columns().empty()) {
    return Error(ErrorClass::DELTA_SHOW_PARTITION_IN_NON_PARTITIONED_TABLE,
                 {{"tableName", target.name}});
  }
  MERGANSER_RETURN_IF_ERROR(CheckPartitionColumns(*target.snapshot, command));
  plan::Project project;
  project.child = plan::MakeRelation(plan::TableReference{command.name, std::nullopt, {}});
  for (const auto& [column, value] : command.partition) {
    if (value == nullptr) continue;
    plan::Call is_value;
    is_value.name = {"="};
    is_value.arguments = {plan::MakeExpression(plan::Attribute{{column}, -1}), value};
    is_value.is_operator = true;
    project.child =
        plan::MakeRelation(plan::Filter{project.child, plan::MakeExpression(std::move(is_value))});
  }
  for (const std::string& column : target.snapshot->partition_columns()) {
    project.expressions.push_back(plan::MakeExpression(plan::Attribute{{column}, -1}));
  }
  return RunQuery(context,
                  plan::MakeRelation(plan::Distinct{plan::MakeRelation(std::move(project))}));
}

/// The properties of a table or view, and its name.
struct PropertyOwner {
  std::string name;
  StringMap properties;
};

Result<PropertyOwner> FindPropertyOwner(StatementContext& context, Analyzer& analyzer,
                                        const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(name));
  const auto* view = std::get_if<CatalogView>(&entry);
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table != nullptr && !table->is_delta() && table->identifier)
    return PropertyOwner{table->identifier->ToString(), table->entry.properties};
  if (view == nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                               FindTargetTable(analyzer, name, "SHOW TBLPROPERTIES"));
    return PropertyOwner{target.name, ShownProperties(*target.snapshot)};
  }
  if (view->temporary) return PropertyOwner{view->name, {}};
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(name));
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(parts));
  return PropertyOwner{identifier.ToString(), view->entry.properties};
}

Result<ResultSet> ShowProperties(StatementContext& context, Analyzer& analyzer,
                                 const plan::Show& command) {
  MERGANSER_ASSIGN_OR_RETURN(const auto owner, FindPropertyOwner(context, analyzer, command.name));
  std::vector<std::vector<CommandCell>> rows;
  if (command.property) {
    const auto found = owner.properties.find(*command.property);
    rows.push_back({*command.property, found == owner.properties.end()
                                           ? fmt::format("Table {} does not have property: {}",
                                                         owner.name, *command.property)
                                           : found->second});
  } else {
    for (const auto& [key, value] : owner.properties) rows.push_back({key, value});
  }
  return CommandResult(context, StructType({Text("key"), Text("value")}), rows);
}

Result<ResultSet> ShowCreateTable(StatementContext& context, Analyzer& analyzer,
                                  const plan::Show& command) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(command.name));
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table != nullptr && table->is_delta()) {
    return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED, {{"operation", "SHOW CREATE TABLE"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const AnalyzedRelation relation,
                             analyzer.BindRelation(plan::MakeRelation(
                                 plan::TableReference{command.name, std::nullopt, {}})));
  return CommandResult(context, StructType({Text("createtab_stmt")}),
                       {{CreateStatement(entry, SchemaOf(*relation.relation))}});
}

/// Delta's functions count as the user's.
Result<ResultSet> ShowFunctions(StatementContext& context, Analyzer& analyzer,
                                const plan::Show& command) {
  if (!command.name.parts.empty())
    MERGANSER_RETURN_IF_ERROR(FindSchema(context, analyzer, command.name));
  std::vector<std::string> names;
  if (!command.user_functions) names = FunctionNames();
  if (!command.system_functions)
    names.insert(names.end(), kDeltaTableFunctions.begin(), kDeltaTableFunctions.end());
  std::ranges::sort(names);
  std::vector<std::vector<CommandCell>> rows;
  for (const std::string& name : names) {
    if (MatchesPattern(command.pattern, name)) rows.push_back({name});
  }
  return CommandResult(context, StructType({Text("function")}), rows);
}

}  // namespace

Result<ResultSet> RunShow(StatementContext& context, const plan::Show& command) {
  const auto analyzer = context.MakeAnalyzer();
  switch (command.kind) {
    case plan::ShowKind::kTables:
      return ShowTables(context, *analyzer, command, /*views=*/false);
    case plan::ShowKind::kViews:
      return ShowTables(context, *analyzer, command, /*views=*/true);
    case plan::ShowKind::kSchemas:
      return ShowSchemas(context, *analyzer, command);
    case plan::ShowKind::kCatalogs:
      return ShowCatalogs(context, command);
    case plan::ShowKind::kColumns:
      return ShowColumns(context, *analyzer, command);
    case plan::ShowKind::kPartitions:
      return ShowPartitions(context, *analyzer, command);
    case plan::ShowKind::kTableProperties:
      return ShowProperties(context, *analyzer, command);
    case plan::ShowKind::kFunctions:
      return ShowFunctions(context, *analyzer, command);
    case plan::ShowKind::kCurrentSchema:
      return CommandResult(context, StructType({Text("catalog"), Text("namespace")}),
                           {{std::string(kSparkCatalog), context.catalog.current_schema()}});
    case plan::ShowKind::kCreateTable:
      return ShowCreateTable(context, *analyzer, command);
  }
  return Error::Internal("SHOW of an unknown kind");
}

}  // namespace merganser
