#include "merganser/spark/analysis/wider_type.h"

#include <algorithm>

namespace merganser {

namespace {

/// Strings and other types have no common type in VALUES, nor are they mixed inside arrays, maps
/// and structs.
bool MixesStrings(const DataType& left, const DataType& right) {
  if (left.is(TypeId::kNull) || right.is(TypeId::kNull)) return false;
  if (left.is_string() != right.is_string()) return true;
  if (left.id() != right.id()) return false;
  switch (left.id()) {
    case TypeId::kArray:
      return MixesStrings(left.element(), right.element());
    case TypeId::kMap:
      return MixesStrings(left.key(), right.key()) || MixesStrings(left.value(), right.value());
    case TypeId::kStruct:
      for (size_t i = 0; i < left.fields().size() && i < right.fields().size(); ++i) {
        if (MixesStrings(left.fields()[i].type, right.fields()[i].type)) return true;
      }
      return false;
    default:
      return false;
  }
}

/// A FLOAT beside exact numbers stays one here, while it becomes a DOUBLE elsewhere.
bool IsFloatMix(const std::vector<DataType>& types) {
  bool has_float = false;
  for (const DataType& type : types) {
    has_float = has_float || type.is(TypeId::kFloat);
    if (type.is(TypeId::kDouble) || type.is(TypeId::kDecimal) ||
        !(type.is_numeric() || type.is(TypeId::kNull))) {
      return false;
    }
  }
  return has_float;
}

}  // namespace

std::optional<DataType> FindWiderTypeWithoutStrings(const std::vector<DataType>& types,
                                                    const TypingContext& typing) {
  if (IsFloatMix(types)) return DataType::Float();
  for (const DataType& type : types) {
    if (std::any_of(types.begin(), types.end(),
                    [&](const DataType& other) { return MixesStrings(type, other); })) {
      return std::nullopt;
    }
  }
  return FindWiderType(types, typing);
}

}  // namespace merganser
