#include "merganser/delta/schema/type_widening.h"

#include <string>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

/// Holds every value of a decimal with the given digits before and after the point.
bool HoldsDecimal(const DataType& to, int integer_digits, int scale) {
  return to.scale() >= scale && to.precision() - to.scale() >= integer_digits;
}

Status CollectOf(const DataType& type, std::vector<std::string>* path,
                 std::vector<TypeChange>* found);

Result<TypeChange> ReadChange(const Json& change, const std::vector<std::string>& path) {
  const Json* from = change.find("fromType");
  const Json* to = change.find("toType");
  if (from == nullptr || to == nullptr) {
    return Error(ErrorClass::DELTA_SCHEMA_CORRUPTED,
                 {{"reason", "a change of type is incomplete"}});
  }
  TypeChange read;
  MERGANSER_ASSIGN_OR_RETURN(read.from, ParseTypeJson(from->Dump()));
  MERGANSER_ASSIGN_OR_RETURN(read.to, ParseTypeJson(to->Dump()));
  read.path = path;
  if (const std::string inner = change.string_or("fieldPath"); !inner.empty())
    read.path.push_back(inner);
  return read;
}

Status Collect(const StructType& fields, std::vector<std::string>* path,
               std::vector<TypeChange>* found) {
  for (const StructField& field : fields) {
    path->push_back(field.name);
    if (const auto record = field.metadata.find(kTypeChangesKey); record != field.metadata.end()) {
      const Result<Json> changes = Json::Parse(record->second);
      if (!changes.ok() || !changes->is_array()) {
        return Error(ErrorClass::DELTA_SCHEMA_CORRUPTED,
                     {{"reason", "changes of type are no list"}});
      }
      for (const Json& change : changes->items()) {
        MERGANSER_ASSIGN_OR_RETURN(TypeChange read, ReadChange(change, *path));
        found->push_back(std::move(read));
      }
    }
    MERGANSER_RETURN_IF_ERROR(CollectOf(field.type, path, found));
    path->pop_back();
  }
  return Status::Ok();
}

Status CollectOf(const DataType& type, std::vector<std::string>* path,
                 std::vector<TypeChange>* found) {
  switch (type.id()) {
    case TypeId::kStruct:
      return Collect(type.fields(), path, found);
    case TypeId::kArray:
      return CollectOf(type.element(), path, found);
    case TypeId::kMap:
      MERGANSER_RETURN_IF_ERROR(CollectOf(type.key(), path, found));
      return CollectOf(type.value(), path, found);
    default:
      return Status::Ok();
  }
}

}  // namespace

bool IsTypeChangeSupported(const DataType& from, const DataType& to) {
  if (from.SameType(to)) return true;
  const bool is_small = from.is_integral() && !from.is(TypeId::kLong);
  switch (to.id()) {
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
      return from.is_integral() && from.id() < to.id();
    case TypeId::kDouble:
      return from.is(TypeId::kFloat) || is_small;
    case TypeId::kTimestampNtz:
      return from.is(TypeId::kDate);
    case TypeId::kDecimal:
      if (from.is(TypeId::kDecimal))
        return HoldsDecimal(to, from.precision() - from.scale(), from.scale());
      if (is_small) return HoldsDecimal(to, 10, 0);
      return from.is(TypeId::kLong) && HoldsDecimal(to, 20, 0);
    default:
      return false;
  }
}

Result<std::vector<TypeChange>> RecordedTypeChanges(const StructType& schema) {
  std::vector<std::string> path;
  std::vector<TypeChange> found;
  MERGANSER_RETURN_IF_ERROR(Collect(schema, &path, &found));
  return found;
}

Status CheckTypeChanges(const StructType& schema) {
  MERGANSER_ASSIGN_OR_RETURN(const auto changes, RecordedTypeChanges(schema));
  for (const TypeChange& change : changes) {
    if (IsTypeChangeSupported(change.from, change.to) ||
        (change.from.is_string() && change.to.is_string())) {
      continue;
    }
    return Error(ErrorClass::DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA,
                 {{"fieldName", QuotedIfNeeded(change.path)},
                  {"fromType", change.from.SqlString()},
                  {"toType", change.to.SqlString()}});
  }
  return Status::Ok();
}

}  // namespace merganser
