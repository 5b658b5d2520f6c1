#include "merganser/commands/views.h"

#include <set>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"

namespace merganser {
namespace {

Error NotFound(const std::vector<std::string>& name) {
  return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", QuotedIdentifier(name)}});
}

Status CheckColumns(const plan::CreateView& command, const BoundRelation& query,
                    const std::string& name) {
  if (command.columns.empty() || command.columns.size() == query.columns.size())
    return Status::Ok();
  std::string view_columns;
  for (const plan::ViewColumn& column : command.columns)
    view_columns += (view_columns.empty() ? "" : ", ") + column.name;
  std::string data_columns;
  for (const BoundColumn& column : query.columns)
    data_columns += (data_columns.empty() ? "" : ", ") + column.name;
  return Error(ErrorClass::CREATE_VIEW_COLUMN_ARITY_MISMATCH,
               {{"viewName", name}, {"viewColumns", view_columns}, {"dataColumns", data_columns}},
               command.columns.size() > query.columns.size() ? "NOT_ENOUGH_DATA_COLUMNS"
                                                             : "TOO_MANY_DATA_COLUMNS");
}

/// The columns of a stored view have names of their own.
Status CheckNamedOnce(const plan::CreateView& command, const BoundRelation& query) {
  std::set<std::string> seen;
  for (size_t i = 0; i < query.columns.size(); ++i) {
    const std::string name =
        FoldCase(command.columns.empty() ? query.columns[i].name : command.columns[i].name);
    if (!seen.insert(name).second)
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS, {{"columnName", QuotedIdentifier(name)}});
  }
  return Status::Ok();
}

std::vector<std::string> NamesOf(const std::vector<plan::ViewColumn>& columns) {
  std::vector<std::string> names;
  for (const plan::ViewColumn& column : columns) names.push_back(column.name);
  return names;
}

/// The columns of `query` under the names and with the comments of the view.
StructType ViewSchema(const plan::CreateView& command, const BoundRelation& query) {
  StructType schema = SchemaOf(query);
  for (size_t i = 0; i < command.columns.size(); ++i) {
    StructField& field = schema.fields()[i];
    field.name = command.columns[i].name;
    if (command.columns[i].comment)
      field.metadata["comment"] = Json(*command.columns[i].comment).Dump();
  }
  return schema;
}

Status StoreView(StatementContext& context, const plan::CreateView& command,
                 const BoundRelation& query, const std::vector<std::string>& name, bool replace) {
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(name));
  MERGANSER_ASSIGN_OR_RETURN(const auto existing, context.catalog.warehouse().Find(identifier));
  if (existing && command.if_not_exists) return Status::Ok();
  MERGANSER_RETURN_IF_ERROR(CheckNamedOnce(command, query));
  if (existing && (existing->provider != "view" || !replace)) {
    return Error(ErrorClass::TABLE_OR_VIEW_ALREADY_EXISTS, {{"relationName", identifier.Quoted()}});
  }
  WarehouseEntry entry;
  entry.provider = "view";
  entry.comment = command.comment;
  entry.properties = command.properties;
  entry.view_schema_mode = command.schema_mode;
  if (command.must_exist) {
    entry.comment = existing->comment;
    entry.properties = existing->properties;
    entry.view_schema_mode = existing->view_schema_mode;
  }
  if (entry.view_schema_mode != plan::ViewSchemaMode::kEvolution) {
    entry.schema = ViewSchema(command, query);
    for (const BoundColumn& column : query.columns) entry.view_query_columns.push_back(column.name);
  }
  entry.view_text = command.query_text;
  entry.view_columns = NamesOf(command.columns);
  entry.view_schema = context.catalog.current_schema();
  return context.catalog.warehouse().Add(identifier, entry, replace);
}

Status CheckIsStoredView(StatementContext& context, const std::vector<std::string>& name,
                         const char* operation) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.Find(name));
  if (!entry) return NotFound(name);
  if (std::get_if<CatalogView>(&*entry) != nullptr) return Status::Ok();
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(name));
  return Error(ErrorClass::EXPECT_VIEW_NOT_TABLE,
               {{"tableName", identifier.Quoted()}, {"operation", operation}}, "NO_ALTERNATIVE");
}

}  // namespace

Result<ResultSet> RunCreateView(StatementContext& context, const plan::CreateView& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  bool temporary = command.temporary || command.global;
  bool replace = command.replace;
  if (command.must_exist) {
    temporary = name.size() == 1 && context.catalog.FindTemporaryView(name[0]) != nullptr;
    replace = true;
    if (!temporary)
      MERGANSER_RETURN_IF_ERROR(CheckIsStoredView(context, name, "ALTER VIEW ... AS"));
  }
  if (temporary && !replace && context.catalog.FindTemporaryView(name.back()) != nullptr) {
    if (command.if_not_exists) return ResultSet();
    return Error(ErrorClass::TEMP_TABLE_OR_VIEW_ALREADY_EXISTS,
                 {{"relationName", QuotedIdentifier(name)}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr bound, analyzer->BindQuery(command.query));
  MERGANSER_RETURN_IF_ERROR(CheckColumns(command, *bound, QuotedIdentifier(name)));
  if (!temporary && !analyzer->temporary_views().empty()) {
    return Error(ErrorClass::INVALID_TEMP_OBJ_REFERENCE,
                 {{"obj", "VIEW"},
                  {"objName", QuotedIdentifier(name)},
                  {"tempObj", "VIEW"},
                  {"tempObjName", QuotedIdentifier(analyzer->temporary_views().front())}});
  }
  if (!temporary) {
    MERGANSER_RETURN_IF_ERROR(StoreView(context, command, *bound, name, replace));
    return ResultSet();
  }
  CatalogView view;
  view.name = name.back();
  view.query = command.query;
  if (!context.parameters.empty())
    view.query = plan::MakeRelation(plan::Parameterized{view.query, context.parameters});
  view.text = command.query_text;
  view.columns = NamesOf(command.columns);
  context.catalog.PutView(std::move(view));
  return ResultSet();
}

Result<ResultSet> RunDropView(StatementContext& context, const plan::DropView& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  if (name.size() <= 2 && context.catalog.DropView(name.back())) return ResultSet();
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.Find(name));
  if (!entry) return command.if_exists ? Result<ResultSet>(ResultSet()) : NotFound(name);
  if (const auto* table = std::get_if<CatalogTable>(&*entry)) {
    return Error(ErrorClass::WRONG_COMMAND_FOR_OBJECT_TYPE,
                 {{"operation", "DROP VIEW"},
                  {"requiredType", "VIEW or METRIC_VIEW"},
                  {"objectName", table->identifier ? table->identifier->ToString() : name.back()},
                  {"foundType", table->managed ? "MANAGED" : "EXTERNAL"},
                  {"alternative", "DROP TABLE"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(name));
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().Remove(identifier));
  return ResultSet();
}

Result<ResultSet> RunDropTable(StatementContext& context, const plan::DropTable& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer->NameParts(command.name));
  if (name.size() == 1 && context.catalog.DropView(name[0])) return ResultSet();
  // A path has no entry that could go, and its files are nobody's to remove.
  if (TableCatalog::IsPathName(name)) return ResultSet();
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, context.catalog.Find(name));
  if (!entry) return command.if_exists ? Result<ResultSet>(ResultSet()) : NotFound(name);
  if (const auto* table = std::get_if<CatalogTable>(&*entry))
    context.catalog.snapshots().Forget(table->location);
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(name));
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().Remove(identifier));
  return ResultSet();
}

}  // namespace merganser
