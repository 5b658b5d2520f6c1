#include "merganser/spark/functions/cast_rules.h"

#include <algorithm>
#include <cstdint>

#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

using CastRule = bool (*)(const DataType& from, const DataType& to);

bool IsAnsiInterval(const DataType& type) {
  return type.is(TypeId::kDayTimeInterval) || type.is(TypeId::kYearMonthInterval);
}

bool IsExactNumber(const DataType& type) { return type.is_integral() || type.is(TypeId::kDecimal); }

bool IsDateTime(const DataType& type) {
  return type.is(TypeId::kDate) || type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
}

/// `rule` for the parts of two arrays, maps or structs of the same shape.
bool HoldsInside(const DataType& from, const DataType& to, CastRule rule) {
  if (from.id() != to.id()) return false;
  if (from.is(TypeId::kArray)) return rule(from.element(), to.element());
  if (from.is(TypeId::kMap)) return rule(from.key(), to.key()) && rule(from.value(), to.value());
  if (!from.is(TypeId::kStruct) || from.fields().size() != to.fields().size()) return false;
  for (size_t i = 0; i < from.fields().size(); ++i) {
    if (!rule(from.fields()[i].type, to.fields()[i].type)) return false;
  }
  return true;
}

/// Types that a VARIANT may be cast to, and, without structs and maps, that may be cast to VARIANT.
bool VariantHolds(const DataType& type, bool structs_and_maps) {
  switch (type.id()) {
    case TypeId::kArray:
      return VariantHolds(type.element(), structs_and_maps);
    case TypeId::kMap:
      return structs_and_maps && type.key().is_string() &&
             VariantHolds(type.value(), structs_and_maps);
    case TypeId::kStruct:
      return structs_and_maps &&
             std::all_of(type.fields().begin(), type.fields().end(),
                         [](const StructField& field) { return VariantHolds(field.type, true); });
    default:
      return !type.is_interval();
  }
}

bool CastsFromString(const DataType& to) { return !to.is_nested() && !to.is(TypeId::kNull); }

bool CastsInBothModes(const DataType& from, const DataType& to, CastRule inside) {
  if (from.SameType(to) || from.is(TypeId::kNull)) return true;
  if (to.is(TypeId::kVariant)) return VariantHolds(from, false);
  if (from.is(TypeId::kVariant)) return VariantHolds(to, true);
  if (to.is_string()) return true;
  if (from.is_string()) return CastsFromString(to);
  if (from.is_numeric() &&
      (to.is_numeric() || to.is(TypeId::kBoolean) || to.is(TypeId::kTimestamp)))
    return true;
  if (from.is(TypeId::kBoolean) && to.is_numeric()) return true;
  if (from.is(TypeId::kTimestamp) && to.is_numeric()) return true;
  if (IsDateTime(from) && IsDateTime(to)) return true;
  if (IsAnsiInterval(from) && (from.id() == to.id() || IsExactNumber(to))) return true;
  if (IsAnsiInterval(to) && IsExactNumber(from)) return true;
  return HoldsInside(from, to, inside);
}

bool LegacyOnly(const DataType& from, const DataType& to) {
  switch (to.id()) {
    case TypeId::kBinary:
      return from.is_integral();
    case TypeId::kBoolean:
      return from.is(TypeId::kDate) || from.is(TypeId::kTimestamp);
    case TypeId::kTimestamp:
      return from.is(TypeId::kBoolean);
    default:
      return from.is(TypeId::kDate) && to.is_numeric();
  }
}

bool HoldsNumber(const DataType& from, const DataType& to) {
  if (to.is(TypeId::kDecimal)) return !from.is_floating() && DecimalHolds(to, from);
  if (!from.is(TypeId::kDecimal)) return from.id() < to.id();
  return to.is_integral() && from.scale() == 0 && DecimalHolds(DecimalFor(to), from);
}

}  // namespace

bool CanAnsiCast(const DataType& from, const DataType& to) {
  return CastsInBothModes(from, to, &CanAnsiCast);
}

bool CanLegacyCast(const DataType& from, const DataType& to) {
  return CastsInBothModes(from, to, &CanLegacyCast) || LegacyOnly(from, to);
}

bool CanAnsiStoreAssign(const DataType& from, const DataType& to) {
  if (from.SameType(to) || from.is(TypeId::kNull)) return true;
  if (from.is_numeric() && to.is_numeric()) return true;
  if (to.is_string()) return IsAtomic(from) || from.is(TypeId::kCalendarInterval);
  if (IsDateTime(from) && IsDateTime(to)) return true;
  if (IsAnsiInterval(from) && from.id() == to.id()) return true;
  return HoldsInside(from, to, &CanAnsiStoreAssign);
}

bool CastForcesNullable(const DataType& from, const DataType& to) {
  if (from.is(TypeId::kNull) || from.SameType(to)) return false;
  if (from.is_string()) return !to.is_string() && !to.is(TypeId::kBinary);
  if (to.is_string()) return false;
  if (from.is_floating() && to.is(TypeId::kTimestamp)) return true;
  if (to.is(TypeId::kDate)) return !from.is(TypeId::kTimestamp);
  if (from.is(TypeId::kDate)) return !to.is(TypeId::kTimestamp);
  if (to.is(TypeId::kCalendarInterval)) return true;
  if (to.is(TypeId::kDecimal)) {
    if (from.is(TypeId::kBoolean)) return to.precision() == to.scale();
    if (!from.is_integral() && !from.is(TypeId::kDecimal)) return true;
    const DataType held = DecimalFor(from);
    const int integral = to.precision() - to.scale();
    const int needed = held.precision() - held.scale();
    const bool holds_all = integral >= needed && to.scale() >= held.scale();
    return !holds_all && !(from.is(TypeId::kDecimal) && integral > needed);
  }
  return (from.is_floating() || from.is(TypeId::kDecimal)) && to.is_integral();
}

bool CanUpCast(const DataType& from, const DataType& to) {
  if (from.SameType(to) || from.is(TypeId::kNull)) return true;
  if (from.is_numeric() && to.is_numeric()) return HoldsNumber(from, to);
  if (to.is_string()) return IsAtomic(from) || from.is(TypeId::kCalendarInterval);
  if (IsDateTime(from) && IsDateTime(to)) return !to.is(TypeId::kDate);
  if (from.is(TypeId::kTimestamp) && to.is(TypeId::kLong)) return true;
  if (from.is(TypeId::kLong) && to.is(TypeId::kTimestamp)) return true;
  if (IsAnsiInterval(from) && from.id() == to.id()) return true;
  return HoldsInside(from, to, &CanUpCast);
}

bool CanCast(const DataType& from, const DataType& to, const TypingContext& context) {
  return context.ansi ? CanAnsiCast(from, to) : CanLegacyCast(from, to);
}

bool CanStoreAssign(const DataType& from, const DataType& to, StoreAssignmentPolicy policy) {
  switch (policy) {
    case StoreAssignmentPolicy::kAnsi:
      return CanAnsiStoreAssign(from, to);
    case StoreAssignmentPolicy::kLegacy:
      return CanLegacyCast(from, to);
    case StoreAssignmentPolicy::kStrict:
      return CanUpCast(from, to);
  }
  return false;
}

}  // namespace merganser
