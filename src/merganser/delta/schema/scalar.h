#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Unscaled value of a decimal.
__extension__ typedef __int128 Int128;

/// One value of an atomic type, or NULL: a partition value, a bound of a column, the literal of a
/// predicate.
class Scalar {
 public:
  /// NULL of the given type.
  static Scalar Null(DataType type = DataType::Null()) {
    return Scalar(std::move(type), std::monostate{});
  }
  static Scalar Boolean(bool value) { return Scalar(DataType::Boolean(), value); }
  /// BYTE, SHORT, INTEGER, LONG: the number. DATE: days since the epoch. TIMESTAMP and
  /// TIMESTAMP_NTZ: microseconds since the epoch. YEAR-MONTH interval: months; DAY-TIME interval:
  /// microseconds.
  static Scalar Integral(DataType type, int64_t value) { return Scalar(std::move(type), value); }
  static Scalar Long(int64_t value) { return Integral(DataType::Long(), value); }
  static Scalar Integer(int32_t value) { return Integral(DataType::Integer(), value); }
  static Scalar Date(int32_t days) { return Integral(DataType::Date(), days); }
  static Scalar Timestamp(int64_t micros) { return Integral(DataType::Timestamp(), micros); }
  static Scalar TimestampNtz(int64_t micros) { return Integral(DataType::TimestampNtz(), micros); }
  static Scalar Float(float value) { return Scalar(DataType::Float(), static_cast<double>(value)); }
  static Scalar Double(double value) { return Scalar(DataType::Double(), value); }
  static Scalar Decimal(DataType type, Int128 unscaled) {
    return Scalar(std::move(type), unscaled);
  }
  static Scalar String(std::string value) { return Scalar(DataType::String(), std::move(value)); }
  static Scalar Binary(std::string bytes) { return Scalar(DataType::Binary(), std::move(bytes)); }

  const DataType& type() const { return type_; }
  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool boolean() const { return std::get<bool>(value_); }
  int64_t integral() const { return std::get<int64_t>(value_); }
  double floating() const { return std::get<double>(value_); }
  Int128 decimal() const { return std::get<Int128>(value_); }
  const std::string& text() const { return std::get<std::string>(value_); }  ///< STRING and BINARY.

  bool operator==(const Scalar& other) const;

 private:
  using Value = std::variant<std::monostate, bool, int64_t, double, Int128, std::string>;
  Scalar(DataType type, Value value) : type_(std::move(type)), value_(std::move(value)) {}

  DataType type_;
  Value value_;
};

/// Spark's order of two non-null values: NaN is above every number and equal to itself, -0.0 equals
/// 0.0, strings compare by bytes. Numbers of different types compare by value, DATE with TIMESTAMP
/// does not: unordered if the types cannot be compared or one is NULL.
std::partial_ordering Compare(const Scalar& left, const Scalar& right);

/// The value as text: numbers as Spark casts them to STRING, dates and times in ISO form.
std::string ToString(const Scalar& value);

/// Decimal text of an unscaled value: 12345 with scale 2 is "123.45".
std::string FormatDecimal(Int128 unscaled, int scale);
/// Reads plain and exponent notation; false if the text is no number or does not fit the type.
bool ParseDecimal(std::string_view text, int precision, int scale, Int128* unscaled);

}  // namespace merganser
