#include "merganser/commands/alter/alter_record.h"

#include <string>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/column_definitions.h"

namespace merganser {
namespace {

/// The comment is a property as well as a clause.
constexpr std::string_view kCommentProperty = "comment";

void SetProperties(const plan::AlterSetProperties& action, WarehouseEntry& record) {
  for (const auto& [key, value] : action.properties) {
    if (key == kCommentProperty) record.comment = value;
    record.properties.insert_or_assign(key, value);
  }
}

void UnsetProperties(const plan::AlterUnsetProperties& action, WarehouseEntry& record) {
  for (const std::string& key : action.keys) {
    if (key == kCommentProperty) record.comment.reset();
    record.properties.erase(key);
  }
}

/// ALTER VIEW takes a stored view and nothing else.
Status CheckAltersView(const CatalogEntry& entry, const std::vector<std::string>& name,
                       const std::string& operation) {
  const auto* view = std::get_if<CatalogView>(&entry);
  if (view == nullptr) {
    return Error(ErrorClass::EXPECT_VIEW_NOT_TABLE,
                 {{"tableName", QuotedIdentifier(name)}, {"operation", operation}},
                 "USE_ALTER_TABLE");
  }
  if (!view->temporary) return Status::Ok();
  return Error(ErrorClass::EXPECT_PERMANENT_VIEW_NOT_TEMP,
               {{"viewName", QuotedIdentifier(name)}, {"operation", operation}});
}

/// New columns stand behind the others, but before those of the folders.
Status AddFileColumns(Analyzer& analyzer, const plan::AlterAddColumns& action,
                      const std::string& table, WarehouseEntry& record) {
  for (const plan::ColumnDefinition& column : action.columns) {
    if (column.name.size() == 1 && !column.default_value) continue;
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"tableName", table},
                  {"operation", column.default_value ? "ADD COLUMN with a default value"
                                                     : "ADD COLUMN with qualified column"}},
                 "TABLE_OPERATION");
  }
  MERGANSER_ASSIGN_OR_RETURN(StructType added,
                             SchemaOfColumns(analyzer, action.columns, "ALTER TABLE ADD COLUMNS"));
  std::vector<StructField>& fields = record.schema->fields();
  fields.insert(fields.end() - std::ssize(record.partition_columns), added.begin(), added.end());
  return CheckUniqueNames(*record.schema);
}

Result<bool> AlterFileTable(StatementContext& context, Analyzer& analyzer,
                            const plan::AlterTable& command, const CatalogTable& table) {
  WarehouseEntry record = table.entry;
  if (const auto* set = std::get_if<plan::AlterSetProperties>(&command.action)) {
    SetProperties(*set, record);
  } else if (const auto* unset = std::get_if<plan::AlterUnsetProperties>(&command.action)) {
    UnsetProperties(*unset, record);
  } else if (const auto* add = std::get_if<plan::AlterAddColumns>(&command.action)) {
    MERGANSER_RETURN_IF_ERROR(AddFileColumns(analyzer, *add, table.identifier->Quoted(), record));
  } else {
    return false;
  }
  MERGANSER_RETURN_IF_ERROR(
      context.catalog.warehouse().Add(*table.identifier, record, /*replace=*/true));
  return true;
}

Result<bool> AlterView(StatementContext& context, Analyzer& analyzer,
                       const plan::AlterTable& command, const CatalogEntry& entry) {
  const auto* set = std::get_if<plan::AlterSetProperties>(&command.action);
  const auto* unset = std::get_if<plan::AlterUnsetProperties>(&command.action);
  if (set == nullptr && unset == nullptr) return false;
  MERGANSER_ASSIGN_OR_RETURN(const auto name, analyzer.NameParts(command.name));
  MERGANSER_RETURN_IF_ERROR(CheckAltersView(
      entry, name,
      set != nullptr ? "ALTER VIEW ... SET TBLPROPERTIES" : "ALTER VIEW ... UNSET TBLPROPERTIES"));
  WarehouseEntry record = std::get<CatalogView>(entry).entry;
  if (set != nullptr) SetProperties(*set, record);
  if (unset != nullptr) UnsetProperties(*unset, record);
  MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier identifier, context.catalog.Identify(name));
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().Add(identifier, record, /*replace=*/true));
  return true;
}

}  // namespace

Result<bool> AlterRecord(StatementContext& context, Analyzer& analyzer,
                         const plan::AlterTable& command) {
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer.FindTable(command.name));
  if (command.is_view) return AlterView(context, analyzer, command, entry);
  const auto* table = std::get_if<CatalogTable>(&entry);
  if (table == nullptr || table->is_delta() || !table->identifier) return false;
  return AlterFileTable(context, analyzer, command, *table);
}

}  // namespace merganser
