#include "merganser/commands/schema_path.h"

#include <utility>

namespace merganser {
namespace {

std::optional<StructField> PartOf(const DataType& type, const std::string& name) {
  if (type.is(TypeId::kArray) && name == "element")
    return StructField{name, type.element(), type.contains_null(), {}};
  if (type.is(TypeId::kMap) && name == "key") return StructField{name, type.key(), false, {}};
  if (type.is(TypeId::kMap) && name == "value")
    return StructField{name, type.value(), type.contains_null(), {}};
  return std::nullopt;
}

Error NothingThere(std::span<const std::string> path) {
  return Error::Internal("a schema has no " + (path.empty() ? std::string("root") : path[0]));
}

Result<DataType> EditType(const DataType& type, std::span<const std::string> path,
                          const std::function<Result<DataType>(const DataType&)>& edit) {
  if (path.empty()) return edit(type);
  const auto below = path.subspan(1);
  if (type.is(TypeId::kStruct)) {
    StructType fields = type.fields();
    const int index = fields.IndexOf(path[0], /*case_sensitive=*/true);
    if (index < 0) return NothingThere(path);
    StructField& field = fields.fields()[static_cast<size_t>(index)];
    MERGANSER_ASSIGN_OR_RETURN(field.type, EditType(field.type, below, edit));
    return DataType::Struct(std::move(fields));
  }
  if (type.is(TypeId::kArray) && path[0] == "element") {
    MERGANSER_ASSIGN_OR_RETURN(DataType element, EditType(type.element(), below, edit));
    return DataType::Array(std::move(element), type.contains_null());
  }
  if (type.is(TypeId::kMap) && path[0] == "key") {
    MERGANSER_ASSIGN_OR_RETURN(DataType key, EditType(type.key(), below, edit));
    return DataType::Map(std::move(key), type.value(), type.contains_null());
  }
  if (type.is(TypeId::kMap) && path[0] == "value") {
    MERGANSER_ASSIGN_OR_RETURN(DataType value, EditType(type.value(), below, edit));
    return DataType::Map(type.key(), std::move(value), type.contains_null());
  }
  return NothingThere(path);
}

}  // namespace

std::optional<SchemaPlace> FindInSchema(const StructType& schema, std::span<const std::string> path,
                                        bool case_sensitive) {
  SchemaPlace place;
  place.field.type = DataType::Struct(schema);
  for (const std::string& name : path) {
    const DataType type = place.field.type;
    if (type.is(TypeId::kStruct)) {
      const StructField* field = type.fields().Find(name, case_sensitive);
      if (field == nullptr) return std::nullopt;
      place.field = *field;
      place.is_part = false;
    } else {
      auto part = PartOf(type, name);
      if (!part) return std::nullopt;
      place.field = *std::move(part);
      place.is_part = true;
    }
    place.path.push_back(place.field.name);
  }
  return place;
}

Result<StructType> EditSchema(const StructType& schema, std::span<const std::string> path,
                              const std::function<Result<DataType>(const DataType&)>& edit) {
  MERGANSER_ASSIGN_OR_RETURN(const DataType edited, EditType(DataType::Struct(schema), path, edit));
  return edited.fields();
}

Result<StructType> EditFields(const StructType& schema, std::span<const std::string> path,
                              const std::function<Status(std::vector<StructField>&)>& edit) {
  return EditSchema(schema, path, [&](const DataType& type) -> Result<DataType> {
    if (!type.is(TypeId::kStruct)) return Error::Internal("only structs have fields");
    std::vector<StructField> fields = type.fields().fields();
    MERGANSER_RETURN_IF_ERROR(edit(fields));
    return DataType::Struct(StructType(std::move(fields)));
  });
}

}  // namespace merganser
