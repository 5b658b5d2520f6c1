#include "merganser/commands/column_definitions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/spark/analysis/schema_evolution.h"

namespace merganser {
namespace {

std::string JsonText(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted;
}

Status CheckNames(const StructType& schema, const std::string& parent) {
  std::set<std::string> names;
  for (const StructField& field : schema) {
    if (!names.insert(FoldCase(field.name)).second) {
      return Error(ErrorClass::COLUMN_ALREADY_EXISTS,
                   {{"columnName", QuotedIdentifier(parent + AsciiLowerCase(field.name))}});
    }
    const DataType* type = &field.type;
    std::string path = parent + field.name + ".";
    while (type->is(TypeId::kArray)) {
      type = &type->element();
      path += "element.";
    }
    if (type->is(TypeId::kStruct)) MERGANSER_RETURN_IF_ERROR(CheckNames(type->fields(), path));
    if (type->is(TypeId::kMap) && type->value().is(TypeId::kStruct)) {
      MERGANSER_RETURN_IF_ERROR(CheckNames(type->value().fields(), path + "value."));
    }
  }
  return Status::Ok();
}

bool HasUnwritableCharacter(std::string_view name) {
  return name.find_first_of(" ,;{}()\n\t=") != name.npos;
}

void CollectUnwritableNames(const DataType& type, std::vector<std::string>& names) {
  switch (type.id()) {
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        if (HasUnwritableCharacter(field.name)) names.push_back(field.name);
        CollectUnwritableNames(field.type, names);
      }
      return;
    case TypeId::kArray:
      CollectUnwritableNames(type.element(), names);
      return;
    case TypeId::kMap:
      CollectUnwritableNames(type.key(), names);
      CollectUnwritableNames(type.value(), names);
      return;
    default:
      return;
  }
}

void CollectUnsupportedTypes(const DataType& type, const std::string& path,
                             std::vector<std::string>& found) {
  if (type.is_interval()) found.push_back(path + ": " + type.SqlString());
  if (type.is(TypeId::kArray)) CollectUnsupportedTypes(type.element(), path, found);
  if (type.is(TypeId::kMap)) {
    CollectUnsupportedTypes(type.key(), path, found);
    CollectUnsupportedTypes(type.value(), path, found);
  }
  if (!type.is(TypeId::kStruct)) return;
  for (const StructField& field : type.fields()) {
    CollectUnsupportedTypes(field.type, path.empty() ? field.name : path + "." + field.name, found);
  }
}

/// NOT NULL cannot be checked for fields inside arrays and maps.
Status CheckNestedNotNull(const DataType& type, const std::string& path, const char* nest) {
  if (type.is(TypeId::kArray)) return CheckNestedNotNull(type.element(), path, "element");
  if (type.is(TypeId::kMap)) {
    MERGANSER_RETURN_IF_ERROR(CheckNestedNotNull(type.key(), path, "key"));
    return CheckNestedNotNull(type.value(), path, "value");
  }
  if (!type.is(TypeId::kStruct)) return Status::Ok();
  for (const StructField& field : type.fields()) {
    if (nest != nullptr && !field.nullable) {
      return Error(
          ErrorClass::DELTA_NESTED_NOT_NULL_CONSTRAINT,
          {{"parent", path},
           {"nestedPrettyJson", type.CatalogString()},
           {"nestType", nest},
           {"configKey", "spark.databricks.delta.constraints.allowUnenforcedNotNull.enabled"}});
    }
    MERGANSER_RETURN_IF_ERROR(CheckNestedNotNull(field.type, path + "." + field.name, nest));
  }
  return Status::Ok();
}

Status SetIdentity(StructField& field, const plan::IdentitySpec& identity) {
  if (!field.type.is(TypeId::kLong)) {
    return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_UNSUPPORTED_DATA_TYPE,
                 {{"dataType", field.type.SqlString()}});
  }
  const int64_t step = identity.step.value_or(1);
  if (step == 0) return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_ILLEGAL_STEP);
  field.metadata["delta.identity.start"] = std::to_string(identity.start.value_or(1));
  field.metadata["delta.identity.step"] = std::to_string(step);
  field.metadata["delta.identity.allowExplicitInsert"] = identity.always ? "false" : "true";
  return Status::Ok();
}

}  // namespace

Status CheckUniqueNames(const StructType& schema) { return CheckNames(schema, ""); }

Status CheckColumnNames(const StructType& schema) {
  std::vector<std::string> names;
  CollectUnwritableNames(DataType::Struct(schema), names);
  if (names.empty()) return Status::Ok();
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return Error(ErrorClass::DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES,
               {{"invalidColumnNames", list}});
}

Status CheckColumnTypes(const StructType& schema) {
  std::vector<std::string> found;
  CollectUnsupportedTypes(DataType::Struct(schema), "", found);
  if (found.empty()) return Status::Ok();
  std::string list;
  for (const std::string& item : found) list += (list.empty() ? "" : ", ") + item;
  return Error(
      ErrorClass::DELTA_UNSUPPORTED_DATA_TYPES,
      {{"dataTypeList", list}, {"config", "spark.databricks.delta.schema.typeCheck.enabled"}});
}

Status SetDefault(Analyzer& analyzer, StructField& field, const plan::ExpressionText* value,
                  const std::string& statement) {
  if (value == nullptr) {
    field.metadata.erase("CURRENT_DEFAULT");
    return Status::Ok();
  }
  const auto invalid = [&](const char* sub_class, Error::Parameters more = {}) {
    more.emplace("statement", statement);
    more.emplace("colName", QuotedIdentifier(field.name));
    more.emplace("defaultValue", value->text);
    return Error(ErrorClass::INVALID_DEFAULT_VALUE, std::move(more), sub_class);
  };
  if (value->expression == nullptr)
    return Error::Internal("a default value without its expression");
  auto bound = analyzer.BindExpressionUnchecked(value->expression, Scope());
  if (!bound.ok()) {
    const ErrorClass reason = bound.error().error_class();
    // There is nothing around a default whose columns it could use.
    if (reason == ErrorClass::UNRESOLVED_COLUMN) return invalid("NOT_CONSTANT");
    return std::move(bound).error();
  }
  if (ContainsSubquery(**bound)) return invalid("SUBQUERY_EXPRESSION");
  if (!CanStoreAssign((*bound)->type, field.type, StoreAssignmentPolicy::kAnsi)) {
    return invalid("DATA_TYPE", {{"expectedType", field.type.SqlString()},
                                 {"actualType", (*bound)->type.SqlString()}});
  }
  if (!IsDeterministic(**bound)) return invalid("NON_DETERMINISTIC");
  field.metadata["CURRENT_DEFAULT"] = JsonText(value->text);
  return Status::Ok();
}

Result<StructField> FieldOfColumn(Analyzer& analyzer, const plan::ColumnDefinition& column,
                                  const std::string& statement) {
  StructField field =
      WithStringsForCharVarchar({column.name.back(), column.type, column.nullable, {}});
  if (column.comment) field.metadata["comment"] = JsonText(*column.comment);
  if (column.default_value) {
    MERGANSER_RETURN_IF_ERROR(SetDefault(analyzer, field, &*column.default_value, statement));
  }
  if (column.generated)
    field.metadata["delta.generationExpression"] = JsonText(column.generated->text);
  if (column.identity) MERGANSER_RETURN_IF_ERROR(SetIdentity(field, *column.identity));
  MERGANSER_RETURN_IF_ERROR(CheckNestedNotNull(field.type, field.name, nullptr));
  return field;
}

Result<StructType> SchemaOfColumns(Analyzer& analyzer,
                                   const std::vector<plan::ColumnDefinition>& columns,
                                   const std::string& statement) {
  StructType schema;
  for (const plan::ColumnDefinition& column : columns) {
    MERGANSER_ASSIGN_OR_RETURN(StructField field, FieldOfColumn(analyzer, column, statement));
    schema.Add(std::move(field));
  }
  MERGANSER_RETURN_IF_ERROR(CheckUniqueNames(schema));
  MERGANSER_RETURN_IF_ERROR(CheckColumnTypes(schema));
  return schema;
}

}  // namespace merganser
