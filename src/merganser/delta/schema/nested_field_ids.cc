#include "merganser/delta/schema/nested_field_ids.h"

#include <algorithm>
#include <utility>

#include "merganser/base/json.h"

namespace merganser {
namespace {

/// What the field records of the parts inside of it; an empty object if nothing can be read.
Json NestedIds(const StructField& field) {
  const auto found = field.metadata.find(kColumnMappingNestedIdsKey);
  if (found == field.metadata.end()) return Json::MakeObject();
  auto ids = Json::Parse(found->second);
  return ids.ok() && ids->is_object() ? *std::move(ids) : Json::MakeObject();
}

class Numbering {
 public:
  explicit Numbering(int64_t last) : last_(last) {}

  int64_t last() const { return last_; }

  StructType Number(StructType schema) {
    for (StructField& field : schema.fields()) {
      Json ids = NestedIds(field);
      field.type = Number(field.type, PhysicalName(field, ColumnMappingMode::kName), ids);
      field.metadata.insert_or_assign(std::string(kColumnMappingNestedIdsKey), ids.Dump());
    }
    return schema;
  }

 private:
  DataType Number(const DataType& type, const std::string& path, Json& ids) {
    switch (type.id()) {
      case TypeId::kArray:
        return DataType::Array(Part(type.element(), path, "element", ids), type.contains_null());
      case TypeId::kMap: {
        DataType key = Part(type.key(), path, "key", ids);
        DataType value = Part(type.value(), path, "value", ids);
        return DataType::Map(std::move(key), std::move(value), type.contains_null());
      }
      case TypeId::kStruct:
        return DataType::Struct(Number(type.fields()));
      default:
        return type;
    }
  }

  DataType Part(const DataType& type, const std::string& holder, std::string_view part, Json& ids) {
    const std::string path = NestedFieldPath(holder, part);
    if (!ids.contains(path)) ids[path] = ++last_;
    return Number(type, path, ids);
  }

  int64_t last_;
};

}  // namespace

MappedSchema AssignNestedFieldIds(MappedSchema mapped) {
  Numbering numbering(mapped.max_column_id);
  mapped.schema = numbering.Number(std::move(mapped.schema));
  mapped.max_column_id = numbering.last();
  return mapped;
}

std::string NestedFieldPath(std::string_view holder, std::string_view part) {
  std::string path(holder);
  path += '.';
  path += part;
  return path;
}

std::optional<int64_t> NestedFieldId(const StructField& field, std::string_view path) {
  return NestedIds(field).find_int(path);
}

int64_t MaxNestedFieldId(const StructField& field) {
  int64_t most = 0;
  const Json ids = NestedIds(field);
  for (const auto& [path, id] : ids.members()) most = std::max(most, id.is_int() ? id.as_int() : 0);
  return most;
}

}  // namespace merganser
