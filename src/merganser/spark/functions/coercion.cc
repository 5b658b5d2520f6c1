#include "merganser/spark/functions/coercion.h"

#include <algorithm>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/spark/functions/numeric_types.h"

namespace merganser {
namespace {

using CommonType = std::optional<DataType> (*)(const DataType&, const DataType&,
                                               const TypingContext&);

bool IsPointInTime(const DataType& type) {
  return type.is(TypeId::kDate) || type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
}

DataType WiderDateTime(const DataType& left, const DataType& right) {
  if (left.is(TypeId::kTimestamp) || right.is(TypeId::kTimestamp)) return DataType::Timestamp();
  return DataType::TimestampNtz();
}

std::optional<DataType> CommonStruct(const DataType& left, const DataType& right,
                                     const TypingContext& context, CommonType common) {
  if (left.fields().size() != right.fields().size()) return std::nullopt;
  StructType fields;
  for (size_t i = 0; i < left.fields().size(); ++i) {
    const StructField& a = left.fields()[i];
    const StructField& b = right.fields()[i];
    if (!SameName(a.name, b.name, context.case_sensitive)) return std::nullopt;
    auto type = common(a.type, b.type, context);
    if (!type) return std::nullopt;
    fields.Add({a.name, *type, a.nullable || b.nullable});
  }
  return DataType::Struct(std::move(fields));
}

std::optional<DataType> CommonNested(const DataType& left, const DataType& right,
                                     const TypingContext& context, CommonType common) {
  if (left.id() != right.id()) return std::nullopt;
  if (left.is(TypeId::kArray)) {
    auto element = common(left.element(), right.element(), context);
    if (!element) return std::nullopt;
    return DataType::Array(*element, left.contains_null() || right.contains_null());
  }
  if (left.is(TypeId::kMap)) {
    auto key = common(left.key(), right.key(), context);
    auto value = common(left.value(), right.value(), context);
    if (!key || !value) return std::nullopt;
    return DataType::Map(*key, *value, left.contains_null() || right.contains_null());
  }
  if (left.is(TypeId::kStruct)) return CommonStruct(left, right, context, common);
  return std::nullopt;
}

std::optional<DataType> CommonNumber(const DataType& left, const DataType& right,
                                     const TypingContext& context) {
  if (left.is(TypeId::kDecimal) || right.is(TypeId::kDecimal)) {
    // Only where one operand already holds the other's values; two decimals meet in WiderDecimal.
    const bool left_decimal = left.is(TypeId::kDecimal);
    const DataType& decimal = left_decimal ? left : right;
    const DataType& other = left_decimal ? right : left;
    if (other.is_integral() && DecimalHolds(decimal, other)) return decimal;
    return std::nullopt;
  }
  DataType wider = WiderNumber(left, right);
  // A FLOAT cannot hold all integers, so ANSI goes on to DOUBLE.
  if (context.ansi && wider.is(TypeId::kFloat)) return DataType::Double();
  return wider;
}

/// A decimal beside any number: the decimal of both, or DOUBLE if the other is a FLOAT or DOUBLE.
std::optional<DataType> CommonDecimal(const DataType& left, const DataType& right) {
  if (!left.is_numeric() || !right.is_numeric()) return std::nullopt;
  if (!left.is(TypeId::kDecimal) && !right.is(TypeId::kDecimal)) return std::nullopt;
  for (const DataType* type : {&left, &right}) {
    if (type->is_floating()) return DataType::Double();
  }
  return WiderDecimal(DecimalFor(left), DecimalFor(right));
}

std::optional<DataType> LegacyStringPromotion(const DataType& left, const DataType& right) {
  const DataType& other = left.is_string() ? right : left;
  if (!left.is_string() && !right.is_string()) return std::nullopt;
  if (other.is_nested() || other.is(TypeId::kBinary) || other.is(TypeId::kBoolean) ||
      other.is_interval() || other.is(TypeId::kVariant)) {
    return std::nullopt;
  }
  return DataType::String();
}

}  // namespace

std::optional<DataType> FindTightestCommonType(const DataType& left, const DataType& right,
                                               const TypingContext& context) {
  if (left == right) return left;
  if (left.is(TypeId::kNull)) return right;
  if (right.is(TypeId::kNull)) return left;
  if (left.is_string() && right.is_string()) return DataType::String();
  if (left.is_numeric() && right.is_numeric()) return CommonNumber(left, right, context);
  if (IsPointInTime(left) && IsPointInTime(right)) return WiderDateTime(left, right);
  if (left.is(TypeId::kDayTimeInterval) && right.is(TypeId::kDayTimeInterval)) {
    return DataType::DayTimeInterval(std::min(left.start_field(), right.start_field()),
                                     std::max(left.end_field(), right.end_field()));
  }
  if (left.is(TypeId::kYearMonthInterval) && right.is(TypeId::kYearMonthInterval)) {
    return DataType::YearMonthInterval(std::min(left.start_field(), right.start_field()),
                                       std::max(left.end_field(), right.end_field()));
  }
  return CommonNested(left, right, context, &FindTightestCommonType);
}

std::optional<DataType> PromoteString(const DataType& left, const DataType& right) {
  if (left.is_string() == right.is_string()) return std::nullopt;
  const DataType& other = left.is_string() ? right : left;
  if (other.is_integral()) return DataType::Long();
  if (other.is_fractional()) return DataType::Double();
  if (other.is_interval() || other.is_nested() || other.is(TypeId::kVariant) ||
      other.is(TypeId::kNull)) {
    return std::nullopt;
  }
  return other;
}

std::optional<DataType> FindWiderTypeForTwo(const DataType& left, const DataType& right,
                                            const TypingContext& context) {
  if (auto type = FindTightestCommonType(left, right, context)) return type;
  if (auto type = CommonDecimal(left, right)) return type;
  auto type = context.ansi ? PromoteString(left, right) : LegacyStringPromotion(left, right);
  return type ? type : CommonNested(left, right, context, &FindWiderTypeForTwo);
}

std::optional<DataType> FindWiderTypeWithoutStrings(const DataType& left, const DataType& right,
                                                    const TypingContext& context) {
  if (auto type = FindTightestCommonType(left, right, context)) return type;
  if (auto type = CommonDecimal(left, right)) return type;
  return CommonNested(left, right, context, &FindWiderTypeWithoutStrings);
}

std::optional<DataType> FindComparisonType(const DataType& left, const DataType& right) {
  if (left.is_string() == right.is_string()) return std::nullopt;
  const DataType& other = left.is_string() ? right : left;
  if (other.is(TypeId::kDecimal)) return DataType::Double();
  if (other.is_nested() || other.is(TypeId::kVariant) || other.is(TypeId::kNull) ||
      other.is_interval()) {
    return std::nullopt;
  }
  return other;
}

std::optional<DataType> FindWiderType(const std::vector<DataType>& types,
                                      const TypingContext& context) {
  std::optional<DataType> wider = DataType::Null();
  // Without ANSI a string absorbs the others only if it comes first: string beside int is a string,
  // and stays one.
  std::vector<DataType> ordered(types);
  if (!context.ansi) {
    std::stable_partition(ordered.begin(), ordered.end(),
                          [](const DataType& type) { return type.is_string(); });
  }
  for (const DataType& type : ordered) {
    wider = FindWiderTypeForTwo(*wider, type, context);
    if (!wider) return std::nullopt;
  }
  return wider;
}

DataType DecimalOperand(const BoundExpression& operand) {
  const auto* literal = operand.As<plan::Literal>();
  const bool counts = literal != nullptr && !literal->is_null() && operand.type.is_integral();
  if (!counts || operand.type.is(TypeId::kByte)) return DecimalFor(operand.type);
  int digits = 1;
  for (int64_t rest = std::get<int64_t>(literal->value) / 10; rest != 0; rest /= 10) ++digits;
  return DataType::Decimal(digits, 0);
}

bool IsOrderable(const DataType& type) {
  switch (type.id()) {
    case TypeId::kMap:
    case TypeId::kVariant:
    case TypeId::kCalendarInterval:
      return false;
    case TypeId::kArray:
      return IsOrderable(type.element());
    case TypeId::kStruct:
      return std::all_of(type.fields().begin(), type.fields().end(),
                         [](const StructField& field) { return IsOrderable(field.type); });
    default:
      return true;
  }
}

}  // namespace merganser
