#include "merganser/delta/schema/column_mapping.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/schema/nested_field_ids.h"

namespace merganser {
namespace {

/// A copy of `type` in which `change` was applied to every field, outer fields first.
DataType MapFields(const DataType& type, const std::function<void(StructField&)>& change);

StructType MapFields(const StructType& schema, const std::function<void(StructField&)>& change) {
  StructType mapped = schema;
  for (StructField& field : mapped.fields()) {
    change(field);
    field.type = MapFields(field.type, change);
  }
  return mapped;
}

DataType MapFields(const DataType& type, const std::function<void(StructField&)>& change) {
  switch (type.id()) {
    case TypeId::kStruct:
      return DataType::Struct(MapFields(type.fields(), change));
    case TypeId::kArray:
      return DataType::Array(MapFields(type.element(), change), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(MapFields(type.key(), change), MapFields(type.value(), change),
                           type.contains_null());
    default:
      return type;
  }
}

/// Can values of type `from` be taken for values of `to` as they are?
bool StaysTheSame(const DataType& from, const DataType& to) {
  if (from.id() != to.id()) return false;
  switch (from.id()) {
    case TypeId::kArray:
      return (to.contains_null() || !from.contains_null()) &&
             StaysTheSame(from.element(), to.element());
    case TypeId::kMap:
      return (to.contains_null() || !from.contains_null()) && StaysTheSame(from.key(), to.key()) &&
             StaysTheSame(from.value(), to.value());
    case TypeId::kStruct:
      return std::ranges::equal(
          from.fields(), to.fields(), [](const StructField& old, const StructField& field) {
            return old.name == field.name && (field.nullable || !old.nullable) &&
                   StaysTheSame(old.type, field.type);
          });
    default:
      return from.SameType(to);
  }
}

/// `type` with what its fields keep of `replaced`.
DataType Keep(const DataType& type, const DataType& replaced) {
  if (type.id() != replaced.id()) return type;
  switch (type.id()) {
    case TypeId::kArray:
      return DataType::Array(Keep(type.element(), replaced.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(Keep(type.key(), replaced.key()), Keep(type.value(), replaced.value()),
                           type.contains_null());
    case TypeId::kStruct:
      return DataType::Struct(KeepColumnMapping(type.fields(), replaced.fields()));
    default:
      return type;
  }
}

}  // namespace

std::string_view ToString(ColumnMappingMode mode) {
  switch (mode) {
    case ColumnMappingMode::kNone:
      return "none";
    case ColumnMappingMode::kId:
      return "id";
    case ColumnMappingMode::kName:
      return "name";
  }
  return {};
}

std::optional<ColumnMappingMode> ParseColumnMappingMode(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const ColumnMappingMode mode :
       {ColumnMappingMode::kNone, ColumnMappingMode::kId, ColumnMappingMode::kName}) {
    if (lower == ToString(mode)) return mode;
  }
  return std::nullopt;
}

std::string PhysicalName(const StructField& field, ColumnMappingMode mode) {
  if (mode == ColumnMappingMode::kNone) return field.name;
  const auto found = field.metadata.find(kColumnMappingPhysicalNameKey);
  if (found == field.metadata.end()) return field.name;
  const Result<Json> name = Json::Parse(found->second);
  return name.ok() && name->is_string() ? name->as_string() : field.name;
}

std::optional<int64_t> FieldId(const StructField& field) {
  const auto found = field.metadata.find(kColumnMappingIdKey);
  if (found == field.metadata.end()) return std::nullopt;
  const std::string& text = found->second;
  int64_t id = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return id;
}

StructType ToPhysicalSchema(const StructType& schema, ColumnMappingMode mode) {
  if (mode == ColumnMappingMode::kNone) return schema;
  return MapFields(schema, [mode](StructField& field) { field.name = PhysicalName(field, mode); });
}

MappedSchema AssignColumnMapping(const StructType& schema, int64_t max_column_id,
                                 PhysicalNaming naming,
                                 const std::function<std::string()>& new_uuid) {
  MappedSchema mapped;
  mapped.max_column_id = std::max(max_column_id, MaxColumnId(schema));
  mapped.schema = MapFields(schema, [&](StructField& field) {
    if (!FieldId(field)) {
      field.metadata.insert_or_assign(std::string(kColumnMappingIdKey),
                                      std::to_string(++mapped.max_column_id));
    }
    if (!field.metadata.contains(kColumnMappingPhysicalNameKey)) {
      std::string name;
      AppendJsonString(naming == PhysicalNaming::kDisplay ? field.name : "col-" + new_uuid(),
                       &name);
      field.metadata.insert_or_assign(std::string(kColumnMappingPhysicalNameKey), std::move(name));
    }
  });
  return mapped;
}

StructType KeepColumnMapping(const StructType& schema, const StructType& replaced) {
  StructType kept = schema;
  for (StructField& field : kept.fields()) {
    const StructField* old = replaced.Find(field.name);
    if (old == nullptr) continue;
    const DataType type = field.type;
    field.type = Keep(type, old->type);
    if (!StaysTheSame(old->type, type)) continue;
    for (const std::string_view key :
         {kColumnMappingIdKey, kColumnMappingPhysicalNameKey, kColumnMappingNestedIdsKey}) {
      const auto found = old->metadata.find(key);
      if (found != old->metadata.end()) field.metadata.try_emplace(found->first, found->second);
    }
  }
  return kept;
}

int64_t MaxColumnId(const StructType& schema) {
  int64_t most = 0;
  MapFields(schema, [&](StructField& field) {
    most = std::max({most, FieldId(field).value_or(0), MaxNestedFieldId(field)});
  });
  return most;
}

StructType DropColumnMapping(const StructType& schema) {
  return MapFields(schema, [](StructField& field) {
    field.metadata.erase(std::string(kColumnMappingIdKey));
    field.metadata.erase(std::string(kColumnMappingPhysicalNameKey));
    field.metadata.erase(std::string(kColumnMappingNestedIdsKey));
  });
}

}  // namespace merganser
