#include "merganser/commands/type_changes.h"

#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

constexpr const char* kTypeChanges = "delta.typeChanges";

const StructField* Counterpart(const StructType& before, const StructField& field) {
  if (const auto id = FieldId(field)) {
    for (const StructField& candidate : before) {
      if (FieldId(candidate) == id) return &candidate;
    }
    return nullptr;
  }
  return before.Find(field.name, /*case_sensitive=*/true);
}

Json TypeName(const DataType& type) {
  auto json = Json::Parse(ToTypeJson(type));
  return json.ok() ? *std::move(json) : Json();
}

/// The record of a change at `path` inside a field: `element`, `key` and `value` joined by dots.
Json Change(const DataType& from, const DataType& to, const std::string& path) {
  Json change = Json::MakeObject();
  change["toType"] = TypeName(to);
  change["fromType"] = TypeName(from);
  if (!path.empty()) change["fieldPath"] = path;
  return change;
}

std::string Below(const std::string& path, const char* name) {
  return path.empty() ? name : path + "." + name;
}

/// `after` with changes below nested structs recorded there; changes of atomic types go to
/// `changes`.
DataType Compare(const DataType& before, const DataType& after, const std::string& path,
                 Json::Array& changes) {
  if (before.is(TypeId::kStruct) && after.is(TypeId::kStruct)) {
    return DataType::Struct(WithTypeChanges(before.fields(), after.fields()));
  }
  if (before.is(TypeId::kArray) && after.is(TypeId::kArray)) {
    return DataType::Array(
        Compare(before.element(), after.element(), Below(path, "element"), changes),
        after.contains_null());
  }
  if (before.is(TypeId::kMap) && after.is(TypeId::kMap)) {
    DataType key = Compare(before.key(), after.key(), Below(path, "key"), changes);
    DataType value = Compare(before.value(), after.value(), Below(path, "value"), changes);
    return DataType::Map(std::move(key), std::move(value), after.contains_null());
  }
  const bool is_widening =
      !before.SameType(after) && !before.is(TypeId::kNull) && !before.is_nested();
  if (is_widening) changes.push_back(Change(before, after, path));
  return after;
}

void ForEachField(const DataType& type, auto&& visit);

void ForEachField(const StructType& schema, auto&& visit) {
  for (const StructField& field : schema) {
    visit(field);
    ForEachField(field.type, visit);
  }
}

void ForEachField(const DataType& type, auto&& visit) {
  if (type.is(TypeId::kStruct)) ForEachField(type.fields(), visit);
  if (type.is(TypeId::kArray)) ForEachField(type.element(), visit);
  if (type.is(TypeId::kMap)) {
    ForEachField(type.key(), visit);
    ForEachField(type.value(), visit);
  }
}

DataType Stripped(const DataType& type) {
  switch (type.id()) {
    case TypeId::kStruct:
      return DataType::Struct(WithoutTypeChanges(type.fields()));
    case TypeId::kArray:
      return DataType::Array(Stripped(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(Stripped(type.key()), Stripped(type.value()), type.contains_null());
    default:
      return type;
  }
}

}  // namespace

StructType WithTypeChanges(const StructType& before, const StructType& after) {
  StructType result;
  for (StructField field : after) {
    if (const StructField* old = Counterpart(before, field)) {
      Json::Array changes;
      field.type = Compare(old->type, field.type, "", changes);
      if (!changes.empty()) {
        Json all = Json::MakeArray();
        if (const auto known = field.metadata.find(kTypeChanges); known != field.metadata.end()) {
          if (auto json = Json::Parse(known->second); json.ok() && json->is_array())
            all = *std::move(json);
        }
        for (Json& change : changes) all.Append(std::move(change));
        field.metadata.insert_or_assign(kTypeChanges, all.Dump());
      }
    }
    result.Add(std::move(field));
  }
  return result;
}

bool HasTypeChanges(const StructType& schema) {
  bool found = false;
  ForEachField(schema, [&](const StructField& field) {
    found = found || field.metadata.contains(kTypeChanges);
  });
  return found;
}

StructType WithoutTypeChanges(const StructType& schema) {
  StructType result;
  for (StructField field : schema) {
    field.metadata.erase(kTypeChanges);
    field.type = Stripped(field.type);
    result.Add(std::move(field));
  }
  return result;
}

}  // namespace merganser
