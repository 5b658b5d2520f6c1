#include "merganser/spark/catalog/warehouse_record.h"

#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

Json ToJson(const plan::Options& options) {
  Json json = Json::MakeObject();
  for (const auto& [key, value] : options) json[key] = value;
  return json;
}

plan::Options ReadOptions(const Json* json) {
  plan::Options options;
  if (json == nullptr || !json->is_object()) return options;
  for (const auto& [key, value] : json->members()) {
    if (value.is_string()) options[key] = value.as_string();
  }
  return options;
}

Json ToJson(const std::vector<std::string>& names) {
  Json json = Json::MakeArray();
  for (const std::string& name : names) json.Append(name);
  return json;
}

std::vector<std::string> ReadNames(const Json* json) {
  std::vector<std::string> names;
  if (json == nullptr || !json->is_array()) return names;
  for (const Json& item : json->items()) {
    if (item.is_string()) names.push_back(item.as_string());
  }
  return names;
}

}  // namespace

std::string WriteTableRecord(const WarehouseEntry& entry) {
  Json json = Json::MakeObject();
  json["provider"] = entry.provider;
  if (!entry.location.empty()) json["location"] = entry.location;
  json["managed"] = entry.managed;
  if (entry.schema) json["schema"] = ToSchemaJson(*entry.schema);
  if (!entry.partition_columns.empty()) json["partitionColumns"] = ToJson(entry.partition_columns);
  if (!entry.options.empty()) json["options"] = ToJson(entry.options);
  if (entry.comment) json["comment"] = *entry.comment;
  if (!entry.properties.empty()) json["properties"] = ToJson(entry.properties);
  if (!entry.view_text.empty()) {
    json["viewText"] = entry.view_text;
    json["viewColumns"] = ToJson(entry.view_columns);
    json["viewSchema"] = entry.view_schema;
    json["viewQueryColumns"] = ToJson(entry.view_query_columns);
    json["viewSchemaMode"] = std::string(plan::ToText(entry.view_schema_mode));
  }
  return json.DumpPretty();
}

Result<WarehouseEntry> ReadTableRecord(std::string_view text) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(text));
  WarehouseEntry entry;
  entry.provider = json.string_or("provider");
  entry.location = json.string_or("location");
  entry.managed = json.bool_or("managed", false);
  if (const Json* schema = json.find("schema"); schema != nullptr && schema->is_string()) {
    MERGANSER_ASSIGN_OR_RETURN(StructType type, ParseSchemaJson(schema->as_string()));
    entry.schema = std::move(type);
  }
  entry.partition_columns = ReadNames(json.find("partitionColumns"));
  entry.options = ReadOptions(json.find("options"));
  if (const Json* comment = json.find("comment"); comment != nullptr && comment->is_string())
    entry.comment = comment->as_string();
  entry.properties = ReadOptions(json.find("properties"));
  entry.view_text = json.string_or("viewText");
  entry.view_columns = ReadNames(json.find("viewColumns"));
  entry.view_schema = json.string_or("viewSchema");
  entry.view_query_columns = ReadNames(json.find("viewQueryColumns"));
  entry.view_schema_mode = plan::ParseViewSchemaMode(json.string_or("viewSchemaMode"))
                               .value_or(plan::ViewSchemaMode::kCompensation);
  return entry;
}

std::string WriteSchemaRecord(const SchemaEntry& schema) {
  Json json = Json::MakeObject();
  if (!schema.comment.empty()) json["comment"] = schema.comment;
  if (!schema.location.empty()) json["location"] = schema.location;
  json["properties"] = ToJson(schema.properties);
  return json.DumpPretty();
}

Status ReadSchemaRecord(std::string_view text, SchemaEntry* schema) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(text));
  schema->comment = json.string_or("comment");
  schema->location = json.string_or("location", schema->location);
  schema->properties = ReadOptions(json.find("properties"));
  return Status::Ok();
}

}  // namespace merganser
