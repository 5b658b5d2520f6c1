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

Status CheckType(const DataType& type, std::vector<std::string>* path);

Status CheckChange(const Json& change, const std::vector<std::string>& path) {
  const Json* from = change.find("fromType");
  const Json* to = change.find("toType");
  if (from == nullptr || to == nullptr) {
    return Error(ErrorClass::DELTA_SCHEMA_CORRUPTED,
                 {{"reason", "a change of type is incomplete"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const DataType from_type, ParseTypeJson(from->Dump()));
  MERGANSER_ASSIGN_OR_RETURN(const DataType to_type, ParseTypeJson(to->Dump()));
  if (IsTypeChangeSupported(from_type, to_type) || (from_type.is_string() && to_type.is_string())) {
    return Status::Ok();
  }
  std::vector<std::string> full_path = path;
  if (const std::string inner = change.string_or("fieldPath"); !inner.empty())
    full_path.push_back(inner);
  return Error(ErrorClass::DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA,
               {{"fieldName", QuotedIfNeeded(full_path)},
                {"fromType", from_type.SqlString()},
                {"toType", to_type.SqlString()}});
}

Status CheckFields(const StructType& fields, std::vector<std::string>* path) {
  for (const StructField& field : fields) {
    path->push_back(field.name);
    if (const auto found = field.metadata.find(kTypeChangesKey); found != field.metadata.end()) {
      const Result<Json> changes = Json::Parse(found->second);
      if (!changes.ok() || !changes->is_array()) {
        return Error(ErrorClass::DELTA_SCHEMA_CORRUPTED,
                     {{"reason", "changes of type are no list"}});
      }
      for (const Json& change : changes->items())
        MERGANSER_RETURN_IF_ERROR(CheckChange(change, *path));
    }
    MERGANSER_RETURN_IF_ERROR(CheckType(field.type, path));
    path->pop_back();
  }
  return Status::Ok();
}

Status CheckType(const DataType& type, std::vector<std::string>* path) {
  switch (type.id()) {
    case TypeId::kStruct:
      return CheckFields(type.fields(), path);
    case TypeId::kArray:
      return CheckType(type.element(), path);
    case TypeId::kMap:
      MERGANSER_RETURN_IF_ERROR(CheckType(type.key(), path));
      return CheckType(type.value(), path);
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

Status CheckTypeChanges(const StructType& schema) {
  std::vector<std::string> path;
  return CheckFields(schema, &path);
}

}  // namespace merganser
