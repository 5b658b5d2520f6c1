#include "merganser/spark/functions/numeric_types.h"

#include <algorithm>

namespace merganser {
namespace {

constexpr int kMinAdjustedScale = 6;

DataType UnadjustedQuotient(int p1, int s1, int p2, int s2) {
  int integral = std::min(kMaxDecimalPrecision, p1 - s1 + s2);
  int fraction = std::min(kMaxDecimalPrecision, std::max(6, s1 + p2 + 1));
  const int excess = integral + fraction - kMaxDecimalPrecision;
  if (excess > 0) {
    fraction -= excess / 2 + 1;
    integral = kMaxDecimalPrecision - fraction;
  }
  return BoundedDecimal(integral + fraction, fraction);
}

}  // namespace

DataType DecimalFor(const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
      return DataType::Decimal(3, 0);
    case TypeId::kShort:
      return DataType::Decimal(5, 0);
    case TypeId::kInteger:
      return DataType::Decimal(10, 0);
    case TypeId::kLong:
      return DataType::Decimal(20, 0);
    case TypeId::kFloat:
      return DataType::Decimal(14, 7);
    case TypeId::kDouble:
      return DataType::Decimal(30, 15);
    default:
      return type;
  }
}

DataType WiderDecimal(const DataType& left, const DataType& right) {
  const int scale = std::max(left.scale(), right.scale());
  const int integral = std::max(left.precision() - left.scale(), right.precision() - right.scale());
  const int excess = integral + scale - kMaxDecimalPrecision;
  if (excess <= 0) return DataType::Decimal(integral + scale, scale);
  return DataType::Decimal(kMaxDecimalPrecision, std::max(0, scale - excess));
}

DataType BoundedDecimal(int precision, int scale) {
  return DataType::Decimal(std::clamp(precision, 1, kMaxDecimalPrecision),
                           std::min(scale, kMaxDecimalPrecision));
}

DataType AdjustedDecimal(int precision, int scale) {
  if (precision <= kMaxDecimalPrecision) return DataType::Decimal(std::max(precision, 1), scale);
  const int integral = precision - scale;
  const int min_scale = std::min(scale, kMinAdjustedScale);
  return DataType::Decimal(kMaxDecimalPrecision,
                           std::max(kMaxDecimalPrecision - integral, min_scale));
}

DataType DecimalResult(DecimalOperation operation, const DataType& left, const DataType& right,
                       bool allow_precision_loss) {
  const int p1 = left.precision(), s1 = left.scale(), p2 = right.precision(), s2 = right.scale();
  int precision = 0;
  int scale = 0;
  switch (operation) {
    case DecimalOperation::kAdd:
    case DecimalOperation::kSubtract:
      scale = std::max(s1, s2);
      precision = std::max(p1 - s1, p2 - s2) + scale + 1;
      break;
    case DecimalOperation::kMultiply:
      scale = s1 + s2;
      precision = p1 + p2 + 1;
      break;
    case DecimalOperation::kDivide:
      if (!allow_precision_loss) return UnadjustedQuotient(p1, s1, p2, s2);
      scale = std::max(6, s1 + p2 + 1);
      precision = p1 - s1 + s2 + scale;
      break;
    case DecimalOperation::kRemainder:
      scale = std::max(s1, s2);
      precision = std::min(p1 - s1, p2 - s2) + scale;
      break;
  }
  return allow_precision_loss ? AdjustedDecimal(precision, scale)
                              : BoundedDecimal(precision, scale);
}

bool DecimalHolds(const DataType& wide, const DataType& narrow) {
  const DataType other = DecimalFor(narrow);
  return wide.precision() - wide.scale() >= other.precision() - other.scale() &&
         wide.scale() >= other.scale();
}

DataType WiderNumber(const DataType& left, const DataType& right) {
  return left.id() < right.id() ? right : left;
}

}  // namespace merganser
