#include "merganser/delta/schema/schema_json.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/schema/char_varchar.h"
#include "merganser/delta/schema/type_name.h"

namespace merganser {
namespace {

Error Corrupted(std::string reason) {
  return Error(ErrorClass::DELTA_SCHEMA_CORRUPTED, {{"reason", std::move(reason)}});
}

FieldMetadata ReadMetadata(const Json& object) {
  FieldMetadata metadata;
  for (const auto& [key, value] : object.members()) metadata.emplace(key, value.Dump());
  return metadata;
}

Result<DataType> ReadType(const Json& json);

Result<StructField> ReadField(const Json& json) {
  const Json* name = json.find("name");
  const Json* type = json.find("type");
  if (name == nullptr || !name->is_string()) return Corrupted("a field has no name");
  if (type == nullptr) return Corrupted("the field " + name->as_string() + " has no type");
  StructField field;
  field.name = name->as_string();
  MERGANSER_ASSIGN_OR_RETURN(field.type, ReadType(*type));
  field.nullable = json.bool_or("nullable", true);
  if (const Json* metadata = json.find("metadata"); metadata != nullptr && metadata->is_object())
    field.metadata = ReadMetadata(*metadata);
  // Read as plain strings they would compare wrongly.
  if (const auto collations = field.metadata.find("__COLLATIONS");
      collations != field.metadata.end()) {
    return Error(ErrorClass::UNSUPPORTED_DATATYPE,
                 {{"typeName", "\"STRING COLLATE\" (" + collations->second + ")"}});
  }
  return field;
}

Result<StructType> ReadStruct(const Json& json) {
  const Json* fields = json.find("fields");
  if (fields == nullptr || !fields->is_array()) return Corrupted("a struct has no list of fields");
  StructType type;
  for (const Json& item : fields->items()) {
    MERGANSER_ASSIGN_OR_RETURN(StructField field, ReadField(item));
    type.Add(std::move(field));
  }
  return type;
}

Result<DataType> ReadMember(const Json& json, std::string_view key) {
  const Json* member = json.find(key);
  if (member == nullptr) return Corrupted("a type has no " + std::string(key));
  return ReadType(*member);
}

Result<DataType> ReadType(const Json& json) {
  if (json.is_string()) return ParseTypeName(json.as_string());
  const std::string kind = json.string_or("type");
  if (kind == "struct") {
    MERGANSER_ASSIGN_OR_RETURN(StructType fields, ReadStruct(json));
    return DataType::Struct(std::move(fields));
  }
  if (kind == "array") {
    MERGANSER_ASSIGN_OR_RETURN(DataType element, ReadMember(json, "elementType"));
    return DataType::Array(std::move(element), json.bool_or("containsNull", true));
  }
  if (kind == "map") {
    MERGANSER_ASSIGN_OR_RETURN(DataType key, ReadMember(json, "keyType"));
    MERGANSER_ASSIGN_OR_RETURN(DataType value, ReadMember(json, "valueType"));
    return DataType::Map(std::move(key), std::move(value), json.bool_or("valueContainsNull", true));
  }
  if (kind == "udt") return ReadMember(json, "sqlType");
  // Some writers wrap the name of an atomic type in an object.
  if (!kind.empty()) return ParseTypeName(kind);
  return Corrupted("a type is neither a name nor an object");
}

void WriteType(const DataType& type, std::string* out);

void WriteField(const StructField& given, std::string* out) {
  const StructField field = WithStringsForCharVarchar(given);
  out->append("{\"name\":");
  AppendJsonString(field.name, out);
  out->append(",\"type\":");
  WriteType(field.type, out);
  out->append(field.nullable ? ",\"nullable\":true" : ",\"nullable\":false");
  out->append(",\"metadata\":{");
  for (const auto& [key, value] : field.metadata) {
    if (out->back() != '{') out->push_back(',');
    AppendJsonString(key, out);
    out->push_back(':');
    out->append(value);
  }
  out->append("}}");
}

void WriteStruct(const StructType& type, std::string* out) {
  out->append("{\"type\":\"struct\",\"fields\":[");
  for (const StructField& field : type) {
    if (out->back() != '[') out->push_back(',');
    WriteField(field, out);
  }
  out->append("]}");
}

void WriteType(const DataType& type, std::string* out) {
  switch (type.id()) {
    case TypeId::kStruct:
      WriteStruct(type.fields(), out);
      return;
    case TypeId::kArray:
      out->append("{\"type\":\"array\",\"elementType\":");
      WriteType(type.element(), out);
      out->append(type.contains_null() ? ",\"containsNull\":true}" : ",\"containsNull\":false}");
      return;
    case TypeId::kMap:
      out->append("{\"type\":\"map\",\"keyType\":");
      WriteType(type.key(), out);
      out->append(",\"valueType\":");
      WriteType(type.value(), out);
      out->append(type.contains_null() ? ",\"valueContainsNull\":true}"
                                       : ",\"valueContainsNull\":false}");
      return;
    default:
      AppendJsonString(TypeName(type), out);
  }
}

}  // namespace

Result<StructType> ParseSchemaJson(std::string_view json) {
  const Result<Json> parsed = Json::Parse(json);
  if (!parsed.ok()) return Corrupted("it is no JSON").CausedBy(parsed.error());
  if (parsed->string_or("type") != "struct") return Corrupted("it is no struct");
  return ReadStruct(*parsed);
}

Result<FieldMetadata> ParseFieldMetadata(std::string_view json) {
  const auto parsed = Json::Parse(json);
  if (!parsed.ok() || !parsed->is_object())
    return Corrupted("a field's metadata is no JSON object");
  return ReadMetadata(*parsed);
}

Result<DataType> ParseTypeJson(std::string_view json) {
  const Result<Json> parsed = Json::Parse(json);
  if (!parsed.ok()) return Corrupted("a type is no JSON").CausedBy(parsed.error());
  return ReadType(*parsed);
}

std::string ToSchemaJson(const StructType& schema) {
  std::string text;
  WriteStruct(schema, &text);
  return text;
}

std::string ToTypeJson(const DataType& type) {
  std::string text;
  WriteType(type, &text);
  return text;
}

}  // namespace merganser
