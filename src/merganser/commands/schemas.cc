#include "merganser/commands/schemas.h"

#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"

namespace merganser {

Result<ResultSet> RunCreateSchema(StatementContext& context, const plan::CreateSchema& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
  SchemaEntry schema;
  auto identified = context.catalog.IdentifySchema(parts);
  if (!identified.ok()) {
    return Error(
        ErrorClass::REQUIRES_SINGLE_PART_NAMESPACE,
        {{"sessionCatalog", std::string(kSparkCatalog)}, {"identifier", QuotedIdentifier(parts)}});
  }
  schema.name = std::move(identified).value();
  if (command.if_not_exists) {
    MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                               context.catalog.warehouse().SchemaExists(schema.name));
    if (exists) return ResultSet();
  }
  schema.comment = command.comment.value_or("");
  schema.location = command.location.value_or("");
  schema.properties = command.properties;
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().CreateSchema(schema));
  return ResultSet();
}

Result<ResultSet> RunDropSchema(StatementContext& context, const plan::DropSchema& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const std::string schema, context.catalog.IdentifySchema(parts));
  if (command.if_exists) {
    MERGANSER_ASSIGN_OR_RETURN(const bool exists, context.catalog.warehouse().SchemaExists(schema));
    if (!exists) return ResultSet();
  }
  if (EqualsIgnoringCase(schema, kDefaultSchema)) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"database", QuotedIdentifier(std::vector{std::string(kSparkCatalog), schema})}},
                 "DROP_DATABASE");
  }
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().DropSchema(schema, command.cascade));
  return ResultSet();
}

Result<ResultSet> RunAlterSchema(StatementContext& context, const plan::AlterSchema& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const std::string name, context.catalog.IdentifySchema(parts));
  MERGANSER_ASSIGN_OR_RETURN(SchemaEntry schema, context.catalog.warehouse().GetSchema(name));
  for (const auto& [key, value] : command.set) schema.properties.insert_or_assign(key, value);
  for (const std::string& key : command.unset) schema.properties.erase(key);
  MERGANSER_RETURN_IF_ERROR(context.catalog.warehouse().ReplaceSchema(schema));
  return ResultSet();
}

Result<ResultSet> RunUseSchema(StatementContext& context, const plan::UseSchema& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
  MERGANSER_RETURN_IF_ERROR(context.catalog.SetCurrentSchema(parts));
  return ResultSet();
}

Result<ResultSet> RunDescribeSchema(StatementContext& context,
                                    const plan::DescribeSchema& command) {
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer->NameParts(command.name));
  MERGANSER_ASSIGN_OR_RETURN(const std::string name, context.catalog.IdentifySchema(parts));
  MERGANSER_ASSIGN_OR_RETURN(const SchemaEntry schema, context.catalog.warehouse().GetSchema(name));
  std::vector<std::vector<CommandCell>> rows = {{"Catalog Name", std::string(kSparkCatalog)},
                                                {"Namespace Name", schema.name},
                                                {"Comment", schema.comment},
                                                {"Location", "file:" + schema.location}};
  if (command.extended) {
    std::string properties;
    for (const auto& [key, value] : schema.properties) {
      properties += (properties.empty() ? "(" : ", (") + key + "," + value + ")";
    }
    rows.push_back({"Properties", properties.empty() ? "" : "(" + properties + ")"});
  }
  return CommandResult(context,
                       StructType({{"info_name", DataType::String(), false, {}},
                                   {"info_value", DataType::String(), true, {}}}),
                       rows);
}

}  // namespace merganser
