#include "merganser/spark/sql/number_literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace merganser {
namespace {

/// A decimal number as written: digits without leading zeros, and how many stand behind the point.
struct DecimalText {
  std::string digits;
  int64_t scale = 0;
};

/// Requires `text` to be a number token without sign and suffix.
DecimalText SplitDecimal(std::string_view text) {
  DecimalText out;
  const size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  bool behind_point = false;
  for (const char c : text.substr(0, exponent_at)) {
    if (c == '.') {
      behind_point = true;
      continue;
    }
    if (c != '0' || !out.digits.empty()) out.digits.push_back(c);
    if (behind_point) ++out.scale;
  }
  if (exponent_at < text.size()) {
    std::string_view exponent_text = text.substr(exponent_at + 1);
    if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
    int32_t exponent = 0;
    const auto [end, error] = std::from_chars(
        exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
    // An exponent that does not fit is as good as the widest one: out of every range.
    if (error != std::errc())
      exponent = exponent_text.starts_with('-') ? -1'000'000'000 : 1'000'000'000;
    out.scale -= exponent;
  }
  return out;
}

Error RangeError(const std::string& written, std::string_view type, std::string_view min,
                 std::string_view max) {
  return Error(ErrorClass::INVALID_NUMERIC_LITERAL_RANGE, {{"rawStrippedQualifier", written},
                                                           {"minValue", std::string(min)},
                                                           {"maxValue", std::string(max)},
                                                           {"typeName", std::string(type)}});
}

Result<plan::Literal> DecimalLiteral(const DecimalText& number, bool negative) {
  std::string digits = number.digits;
  int64_t scale = number.scale;
  if (scale < 0 && !digits.empty() && -scale <= kMaxDecimalPrecision)
    digits.append(static_cast<size_t>(-scale), '0');
  const int64_t padding = scale < 0 && -scale > kMaxDecimalPrecision ? -scale : 0;
  scale = std::max<int64_t>(scale, 0);
  const int64_t precision = std::max<int64_t>(
      {static_cast<int64_t>(digits.size()) + (digits.empty() ? 0 : padding), scale, 1});
  if (precision > kMaxDecimalPrecision) {
    return Error(ErrorClass::DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION,
                 {{"precision", std::to_string(precision)},
                  {"maxPrecision", std::to_string(kMaxDecimalPrecision)}});
  }
  plan::DecimalValue value;
  for (const char digit : digits) value.unscaled = value.unscaled * 10 + (digit - '0');
  if (negative) value.unscaled = -value.unscaled;
  return plan::Literal{DataType::Decimal(static_cast<int>(precision), static_cast<int>(scale)),
                       value};
}

/// The integer `written` (with sign), if it fits the type T.
template <typename T>
std::optional<int64_t> ReadInteger(const std::string& written) {
  T value = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

template <typename T>
Result<plan::Literal> SizedInteger(const std::string& written, const DataType& type,
                                   std::string_view name) {
  if (const auto value = ReadInteger<T>(written)) return plan::Literal{type, *value};
  return RangeError(written, name, std::to_string(std::numeric_limits<T>::min()),
                    std::to_string(std::numeric_limits<T>::max()));
}

Result<plan::Literal> PlainInteger(const std::string& written, bool negative) {
  if (const auto value = ReadInteger<int32_t>(written))
    return plan::Literal{DataType::Integer(), *value};
  if (const auto value = ReadInteger<int64_t>(written))
    return plan::Literal{DataType::Long(), *value};
  return DecimalLiteral(SplitDecimal(std::string_view(written).substr(negative ? 1 : 0)), negative);
}

/// The value nearest to `written`; nullopt if it is beyond the range of T. Tiny values become zero.
template <typename T>
std::optional<T> ReadFloating(const std::string& written, const DecimalText& number) {
  T value = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
  if (error == std::errc()) return value;
  const bool tiny = static_cast<int64_t>(number.digits.size()) - number.scale <= 0;
  if (tiny) return static_cast<T>(0);
  return std::nullopt;
}

Result<plan::Literal> DoubleLiteral(const std::string& written, const DecimalText& number) {
  if (const auto value = ReadFloating<double>(written, number))
    return plan::Literal{DataType::Double(), *value};
  return RangeError(written, "double", "-1.7976931348623157E+308", "1.7976931348623157E+308");
}

Result<plan::Literal> FloatLiteral(const std::string& written, const DecimalText& number) {
  const auto exact = ReadFloating<double>(written, number);
  const auto value = ReadFloating<float>(written, number);
  if (value && exact && std::abs(*exact) <= std::numeric_limits<float>::max()) {
    return plan::Literal{DataType::Float(), static_cast<double>(*value)};
  }
  return RangeError(written, "float", "-3.4028234663852886E+38", "3.4028234663852886E+38");
}

size_t SuffixLength(TokenKind kind) {
  switch (kind) {
    case TokenKind::kTinyInt:
    case TokenKind::kSmallInt:
    case TokenKind::kBigInt:
    case TokenKind::kFloat:
    case TokenKind::kDouble:
      return 1;
    case TokenKind::kBigDecimal:
      return 2;
    default:
      return 0;
  }
}

Result<plan::Literal> NumberValue(TokenKind kind, const std::string& written, bool negative) {
  const DecimalText number = SplitDecimal(std::string_view(written).substr(negative ? 1 : 0));
  switch (kind) {
    case TokenKind::kTinyInt:
      return SizedInteger<int8_t>(written, DataType::Byte(), "tinyint");
    case TokenKind::kSmallInt:
      return SizedInteger<int16_t>(written, DataType::Short(), "smallint");
    case TokenKind::kBigInt:
      return SizedInteger<int64_t>(written, DataType::Long(), "bigint");
    case TokenKind::kFloat:
      return FloatLiteral(written, number);
    case TokenKind::kExponent:
    case TokenKind::kDouble:
      return DoubleLiteral(written, number);
    case TokenKind::kInteger:
      return PlainInteger(written, negative);
    default:
      return DecimalLiteral(number, negative);
  }
}

}  // namespace

Result<plan::Literal> ParseNumber(TokenStream& in) {
  const size_t first = in.position();
  const bool negative = in.AcceptSymbol("-");
  if (!in.Peek().is_number()) return in.SyntaxError();
  const Token& token = in.Next();
  std::string written = negative ? "-" : "";
  written.append(token.text.substr(0, token.text.size() - SuffixLength(token.kind)));
  Result<plan::Literal> value = NumberValue(token.kind, written, negative);
  if (!value.ok()) return in.ErrorFrom(first, std::move(value).error());
  return value;
}

Result<int64_t> ParseInteger(TokenStream& in) {
  if (!in.Peek().is(TokenKind::kInteger)) return in.SyntaxError();
  const auto value = ReadInteger<int64_t>(std::string(in.Peek().text));
  if (!value) return in.SyntaxError();
  in.Next();
  return *value;
}

}  // namespace merganser
