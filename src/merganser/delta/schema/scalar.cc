#include "merganser/delta/schema/scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "merganser/base/java_double.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

Int128 PowerOfTen(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// Order of doubles with NaN above all and equal to itself.
std::partial_ordering CompareFloating(double left, double right) {
  const bool left_nan = std::isnan(left);
  const bool right_nan = std::isnan(right);
  if (left_nan || right_nan) return static_cast<int>(left_nan) <=> static_cast<int>(right_nan);
  return left <=> right;
}

/// A number of any exact type as unscaled value and scale.
struct Exact {
  Int128 unscaled;
  int scale;
};

std::optional<Exact> ToExact(const Scalar& value) {
  if (value.type().is_integral()) return Exact{value.integral(), 0};
  if (value.type().is(TypeId::kDecimal)) return Exact{value.decimal(), value.type().scale()};
  return std::nullopt;
}

double ToDouble(const Scalar& value) {
  if (value.type().is_integral()) return static_cast<double>(value.integral());
  if (value.type().is(TypeId::kDecimal)) {
    return static_cast<double>(value.decimal()) / std::pow(10.0, value.type().scale());
  }
  return value.floating();
}

/// Bring `value` to the scale of `scale`, or say that it has too many digits for that.
bool Rescale(Exact& value, int scale) {
  for (; value.scale < scale; ++value.scale) {
    Int128 product = 0;
    if (__builtin_mul_overflow(value.unscaled, Int128{10}, &product)) return false;
    value.unscaled = product;
  }
  return true;
}

std::partial_ordering CompareExact(Exact left, Exact right) {
  // A side that cannot be rescaled is larger in magnitude than any value of 38 digits.
  if (!Rescale(left, right.scale)) {
    return left.unscaled < 0 ? std::partial_ordering::less : std::partial_ordering::greater;
  }
  if (!Rescale(right, left.scale)) {
    return right.unscaled < 0 ? std::partial_ordering::greater : std::partial_ordering::less;
  }
  if (left.unscaled == right.unscaled) return std::partial_ordering::equivalent;
  return left.unscaled < right.unscaled ? std::partial_ordering::less
                                        : std::partial_ordering::greater;
}

}  // namespace

bool Scalar::operator==(const Scalar& other) const {
  return type_ == other.type_ && value_ == other.value_;
}

std::partial_ordering Compare(const Scalar& left, const Scalar& right) {
  if (left.is_null() || right.is_null()) return std::partial_ordering::unordered;
  if (left.type().is_numeric() && right.type().is_numeric()) {
    const auto left_exact = ToExact(left);
    const auto right_exact = ToExact(right);
    if (left_exact && right_exact) return CompareExact(*left_exact, *right_exact);
    return CompareFloating(ToDouble(left), ToDouble(right));
  }
  if (left.type().is_string() && right.type().is_string())
    return left.text().compare(right.text()) <=> 0;
  if (left.type().id() != right.type().id()) return std::partial_ordering::unordered;
  switch (left.type().id()) {
    case TypeId::kBoolean:
      return left.boolean() <=> right.boolean();
    case TypeId::kBinary:
      return left.text().compare(right.text()) <=> 0;
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
    case TypeId::kYearMonthInterval:
    case TypeId::kDayTimeInterval:
      return left.integral() <=> right.integral();
    default:
      return std::partial_ordering::unordered;
  }
}

std::string ToString(const Scalar& value) {
  if (value.is_null()) return "NULL";
  switch (value.type().id()) {
    case TypeId::kBoolean:
      return value.boolean() ? "true" : "false";
    case TypeId::kFloat:
      return JavaToString(static_cast<float>(value.floating()));
    case TypeId::kDouble:
      return JavaToString(value.floating());
    case TypeId::kDecimal:
      return FormatDecimal(value.decimal(), value.type().scale());
    case TypeId::kDate:
      return FormatDate(value.integral());
    case TypeId::kTimestamp:
      return FormatTimestamp(value.integral(), 'T', FractionDigits::kMicros) + "Z";
    case TypeId::kTimestampNtz:
      return FormatTimestamp(value.integral(), 'T', FractionDigits::kMicros);
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kBinary:
      return value.text();
    default:
      return std::to_string(value.integral());
  }
}

std::string FormatDecimal(Int128 unscaled, int scale) {
  const bool negative = unscaled < 0;
  auto magnitude = static_cast<unsigned __int128>(unscaled);
  if (negative) magnitude = -magnitude;
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude != 0);
  while (static_cast<int>(digits.size()) <= scale) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  return negative ? "-" + digits : digits;
}

bool ParseDecimal(std::string_view text, int precision, int scale, Int128* unscaled) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view number = text.substr(mark + 1);
    if (number.starts_with('+')) number.remove_prefix(1);
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), exponent);
    if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size()) return false;
    if (exponent > 1000 || exponent < -1000) return false;
    text = text.substr(0, mark);
  }
  Int128 value = 0;
  int fraction_digits = 0;
  bool in_fraction = false;
  bool any_digit = false;
  for (const char c : text) {
    if (c == '.') {
      if (in_fraction) return false;
      in_fraction = true;
      continue;
    }
    if (c < '0' || c > '9') return false;
    any_digit = true;
    if (__builtin_mul_overflow(value, Int128{10}, &value) ||
        __builtin_add_overflow(value, Int128{c - '0'}, &value)) {
      return false;
    }
    if (in_fraction) ++fraction_digits;
  }
  if (!any_digit) return false;
  int shift = scale - fraction_digits + exponent;
  if (value == 0) shift = 0;
  for (; shift > 0; --shift) {
    if (__builtin_mul_overflow(value, Int128{10}, &value)) return false;
  }
  for (; shift < 0; ++shift) {
    if (value % 10 != 0) return false;
    value /= 10;
  }
  if (value >= PowerOfTen(precision)) return false;
  *unscaled = negative ? -value : value;
  return true;
}

}  // namespace merganser
