#include "merganser/delta/schema/partition_value.h"

#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "merganser/base/letter_case.h"
#include "merganser/base/uri.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

std::optional<int64_t> ParseInteger(std::string_view text, int64_t least, int64_t most) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

template <typename T>
std::optional<int64_t> ParseInteger(std::string_view text) {
  return ParseInteger(text, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

std::optional<double> ParseFloating(std::string_view text) {
  const std::string lower = AsciiLowerCase(text);
  if (lower == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (lower == "infinity" || lower == "inf" || lower == "+infinity" || lower == "+inf") {
    return std::numeric_limits<double>::infinity();
  }
  if (lower == "-infinity" || lower == "-inf") return -std::numeric_limits<double>::infinity();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range) return std::nullopt;
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> ParseBoolean(std::string_view text) {
  const std::string lower = AsciiLowerCase(text);
  for (const char* yes : {"true", "t", "yes", "y", "1"}) {
    if (lower == yes) return true;
  }
  for (const char* no : {"false", "f", "no", "n", "0"}) {
    if (lower == no) return false;
  }
  return std::nullopt;
}

std::optional<Scalar> ParseIntegral(const DataType& type, std::string_view text) {
  std::optional<int64_t> value;
  switch (type.id()) {
    case TypeId::kByte:
      value = ParseInteger<int8_t>(text);
      break;
    case TypeId::kShort:
      value = ParseInteger<int16_t>(text);
      break;
    case TypeId::kInteger:
      value = ParseInteger<int32_t>(text);
      break;
    default:
      value = ParseInteger<int64_t>(text);
      break;
  }
  if (!value) return std::nullopt;
  return Scalar::Integral(type, *value);
}

std::optional<Scalar> ParseInstant(std::string_view text, const LocalToInstant& local_to_instant) {
  const auto parsed = ParseTimestamp(text);
  if (!parsed) return std::nullopt;
  if (const auto instant = parsed->instant()) return Scalar::Timestamp(*instant);
  return Scalar::Timestamp(local_to_instant ? local_to_instant(parsed->local_micros)
                                            : parsed->local_micros);
}

std::optional<Scalar> Parse(const DataType& type, std::string_view text,
                            const LocalToInstant& local_to_instant) {
  switch (type.id()) {
    case TypeId::kBoolean:
      if (const auto value = ParseBoolean(text)) return Scalar::Boolean(*value);
      return std::nullopt;
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
      return ParseIntegral(type, text);
    case TypeId::kFloat:
      if (const auto value = ParseFloating(text)) return Scalar::Float(static_cast<float>(*value));
      return std::nullopt;
    case TypeId::kDouble:
      if (const auto value = ParseFloating(text)) return Scalar::Double(*value);
      return std::nullopt;
    case TypeId::kDecimal: {
      Int128 unscaled = 0;
      if (!ParseDecimal(text, type.precision(), type.scale(), &unscaled)) return std::nullopt;
      return Scalar::Decimal(type, unscaled);
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      return Scalar::String(std::string(text));
    case TypeId::kBinary:
      return Scalar::Binary(std::string(text));
    case TypeId::kDate:
      if (const auto days = ParseDate(text)) return Scalar::Date(*days);
      return std::nullopt;
    case TypeId::kTimestamp:
      return ParseInstant(text, local_to_instant);
    case TypeId::kTimestampNtz:
      if (const auto parsed = ParseTimestamp(text))
        return Scalar::TimestampNtz(parsed->local_micros);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool IsEscapedInPaths(unsigned char c) {
  constexpr std::string_view kEscaped = "\"#%'*/:=?\\{[]^";
  return c < 0x20 || c == 0x7f || kEscaped.find(static_cast<char>(c)) != std::string_view::npos;
}

}  // namespace

Result<Scalar> ParsePartitionValue(const DataType& type, std::optional<std::string_view> text,
                                   const LocalToInstant& local_to_instant) {
  if (!text || text->empty()) return Scalar::Null(type);
  if (auto value = Parse(type, *text, local_to_instant)) return *std::move(value);
  return Error(ErrorClass::DELTA_FAILED_CAST_PARTITION_VALUE,
               {{"value", std::string(*text)}, {"dataType", type.SqlString()}});
}

std::optional<std::string> FormatPartitionValue(const Scalar& value) {
  if (value.is_null()) return std::nullopt;
  if (value.type().is(TypeId::kTimestampNtz)) {
    return FormatTimestamp(value.integral(), ' ', FractionDigits::kShortest);
  }
  std::string text = ToString(value);
  if (text.empty()) return std::nullopt;
  return text;
}

std::string PartitionDirectory(
    const std::vector<std::pair<std::string, std::optional<std::string>>>& values) {
  std::string directory;
  for (const auto& [name, value] : values) {
    directory += EscapePathName(name);
    directory += '=';
    directory +=
        value && !value->empty() ? EscapePathName(*value) : std::string(kHiveDefaultPartition);
    directory += '/';
  }
  return directory;
}

std::string EscapePathName(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (IsEscapedInPaths(static_cast<unsigned char>(c))) {
      AppendPercentEncoded(static_cast<unsigned char>(c), &escaped);
    } else {
      escaped.push_back(c);
    }
  }
  return escaped;
}

std::string UnescapePathName(std::string_view text) { return PercentDecode(text); }

}  // namespace merganser
