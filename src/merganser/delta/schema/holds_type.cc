#include "merganser/delta/schema/holds_type.h"

#include <algorithm>

namespace merganser {

bool HoldsType(const DataType& type, TypeId id) {
  if (type.is(id)) return true;
  switch (type.id()) {
    case TypeId::kArray:
      return HoldsType(type.element(), id);
    case TypeId::kMap:
      return HoldsType(type.key(), id) || HoldsType(type.value(), id);
    case TypeId::kStruct:
      return std::ranges::any_of(
          type.fields(), [id](const StructField& field) { return HoldsType(field.type, id); });
    default:
      return false;
  }
}

}  // namespace merganser
