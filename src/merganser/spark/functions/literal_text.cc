#include "merganser/spark/functions/literal_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "merganser/base/java_double.h"
#include "merganser/base/time_units.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

constexpr const char* kYearMonthFields[] = {"YEAR", "MONTH"};
constexpr const char* kDayTimeFields[] = {"DAY", "HOUR", "MINUTE", "SECOND"};

uint64_t Magnitude(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

std::string IntervalQualifier(const char* const* names, int start, int end) {
  return start == end ? std::string(names[start])
                      : fmt::format("{} TO {}", names[start], names[end]);
}

std::string YearMonthText(int64_t months, const DataType& type) {
  const char* sign = months < 0 ? "-" : "";
  const uint64_t magnitude = Magnitude(months);
  std::string value;
  if (type.start_field() == type.end_field()) {
    value = fmt::format("{}{}", sign, type.start_field() == 0 ? magnitude / 12 : magnitude);
  } else {
    value = fmt::format("{}{}-{}", sign, magnitude / 12, magnitude % 12);
  }
  return fmt::format("INTERVAL '{}' {}", value,
                     IntervalQualifier(kYearMonthFields, type.start_field(), type.end_field()));
}

/// Seconds with at least two integral digits: 04.5
std::string SecondsText(uint64_t micros) {
  std::string text = fmt::format("{:02}", micros / kMicrosPerSecond);
  const uint64_t fraction = micros % kMicrosPerSecond;
  if (fraction == 0) return text;
  text += fmt::format(".{:06}", fraction);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::string DayTimeText(int64_t micros, const DataType& type) {
  constexpr uint64_t kUnits[] = {kMicrosPerDay, kMicrosPerHour, kMicrosPerMinute, kMicrosPerSecond};
  constexpr const char* kSeparators[] = {"", " ", ":", ":"};
  std::string value = micros < 0 ? "-" : "";
  uint64_t rest = Magnitude(micros);
  for (int field = type.start_field(); field <= type.end_field(); ++field) {
    if (field > type.start_field()) value += kSeparators[field];
    if (field == 3) {
      value += SecondsText(rest);
    } else {
      value += fmt::format("{:0{}}", rest / kUnits[field], field == 0 ? 1 : 2);
      rest %= kUnits[field];
    }
  }
  return fmt::format("INTERVAL '{}' {}", value,
                     IntervalQualifier(kDayTimeFields, type.start_field(), type.end_field()));
}

std::string HexLiteral(const std::string& bytes) {
  std::string text = "X'";
  for (const unsigned char byte : bytes) text += fmt::format("{:02X}", byte);
  return text + "'";
}

std::string QuotedText(const std::string& value) {
  std::string text = "'";
  for (const char c : value) {
    if (c == '\\' || c == '\'') text += '\\';
    text += c;
  }
  return text + "'";
}

/// As Java's BigDecimal prints itself: small ones with an exponent ("1.2E-7").
std::string JavaDecimalText(__int128 unscaled, int scale) {
  std::string digits = DecimalText(unscaled, 0);
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  const int exponent = static_cast<int>(digits.size()) - 1 - scale;
  if (scale == 0 || exponent >= -6) return DecimalText(unscaled, scale);
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}{}E{}", negative ? "-" : "", digits, exponent);
}

std::string NumberText(const plan::Literal& literal) {
  if (const auto* integer = std::get_if<int64_t>(&literal.value))
    return fmt::format("{}", *integer);
  if (const auto* decimal = std::get_if<plan::DecimalValue>(&literal.value)) {
    return JavaDecimalText(decimal->unscaled, literal.type.scale());
  }
  const double value = std::get<double>(literal.value);
  return literal.type.is(TypeId::kFloat) ? JavaToString(static_cast<float>(value))
                                         : JavaToString(value);
}

std::string WallClock(int64_t micros) {
  return FormatTimestamp(micros, ' ', FractionDigits::kShortest);
}

/// Literals that look the same in names and in SQL.
std::string TypedText(const plan::Literal& literal, const NameFormat& format) {
  const auto integer = [&] { return std::get<int64_t>(literal.value); };
  switch (literal.type.id()) {
    case TypeId::kBoolean:
      return std::get<bool>(literal.value) ? "true" : "false";
    case TypeId::kBinary:
      return HexLiteral(std::get<std::string>(literal.value));
    case TypeId::kDate:
      return fmt::format("DATE '{}'", FormatDate(integer()));
    case TypeId::kTimestamp: {
      const int64_t offset = format.utc_offset_seconds ? format.utc_offset_seconds(integer()) : 0;
      return fmt::format("TIMESTAMP '{}'", WallClock(integer() + offset * kMicrosPerSecond));
    }
    case TypeId::kTimestampNtz:
      return fmt::format("TIMESTAMP_NTZ '{}'", WallClock(integer()));
    case TypeId::kYearMonthInterval:
      return YearMonthText(integer(), literal.type);
    case TypeId::kDayTimeInterval:
      return DayTimeText(integer(), literal.type);
    default:
      return "NULL";
  }
}

}  // namespace

std::string DecimalText(__int128 unscaled, int scale) {
  unsigned __int128 rest = unscaled < 0 ? -static_cast<unsigned __int128>(unscaled) : unscaled;
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  while (static_cast<int>(digits.size()) <= scale) digits += '0';
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  return unscaled < 0 ? "-" + digits : digits;
}

std::string LiteralName(const plan::Literal& literal, const NameFormat& format) {
  if (literal.is_null()) return "NULL";
  if (literal.type.is_string() || literal.type.is(TypeId::kVariant))
    return std::get<std::string>(literal.value);
  if (literal.type.is_numeric()) return NumberText(literal);
  return TypedText(literal, format);
}

std::string LiteralSql(const plan::Literal& literal, const NameFormat& format) {
  if (literal.is_null()) {
    return literal.type.is(TypeId::kNull)
               ? "NULL"
               : fmt::format("CAST(NULL AS {})", literal.type.SqlString());
  }
  switch (literal.type.id()) {
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      return QuotedText(std::get<std::string>(literal.value));
    case TypeId::kByte:
      return NumberText(literal) + "Y";
    case TypeId::kShort:
      return NumberText(literal) + "S";
    case TypeId::kInteger:
      return NumberText(literal);
    case TypeId::kLong:
      return NumberText(literal) + "L";
    case TypeId::kDecimal:
      return NumberText(literal) + "BD";
    case TypeId::kFloat:
    case TypeId::kDouble: {
      const double value = std::get<double>(literal.value);
      const std::string text = NumberText(literal);
      if (std::isfinite(value) && literal.type.is(TypeId::kDouble)) return text + "D";
      return fmt::format("CAST({0}{1}{0} AS {2})", std::isfinite(value) ? "" : "'", text,
                         literal.type.SqlString());
    }
    default:
      return TypedText(literal, format);
  }
}

}  // namespace merganser
