#include "merganser/engine/functions/spark_text.h"

#include <cmath>

#include "merganser/base/java_double.h"
#include "merganser/engine/functions/decimal_math.h"

namespace merganser::engine {
namespace {

/// Length of the well-formed sequence at the front, or minus the length of its longest ill-formed
/// prefix.
int SequenceLength(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return -1;
  const int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (int i = 1; i < length; ++i) {
    const auto at = static_cast<size_t>(i);
    if (at >= bytes.size() || byte(at) < low || byte(at) > high) return -i;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

}  // namespace

std::string QuotedType(const DataType& type) { return "\"" + type.SqlString() + "\""; }

std::string QuotedId(std::string_view name) {
  std::string out = "`";
  for (const char c : name) {
    if (c == '`') out += '`';
    out += c;
  }
  return out + "`";
}

std::string QuotedValue(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string LiteralText(int64_t value, const DataType& type) {
  std::string out = std::to_string(value);
  switch (type.id()) {
    case TypeId::kByte:
      return out + "Y";
    case TypeId::kShort:
      return out + "S";
    case TypeId::kLong:
      return out + "L";
    default:
      return out;
  }
}

std::string LiteralText(double value, const DataType& type) {
  if (type.is(TypeId::kFloat)) return JavaToString(static_cast<float>(value));
  return std::isfinite(value) ? JavaToString(value) + "D" : JavaToString(value);
}

std::string LiteralText(Int128 unscaled, const DataType& decimal) {
  return DecimalToPlainString(unscaled, decimal.scale()) + "BD";
}

bool IsValidUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const int length = SequenceLength(bytes);
    if (length < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(length));
  }
  return true;
}

std::string ValidUtf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const int length = SequenceLength(bytes);
    if (length > 0) {
      out.append(bytes.substr(0, static_cast<size_t>(length)));
    } else {
      out += "\xEF\xBF\xBD";
    }
    bytes.remove_prefix(static_cast<size_t>(std::abs(length)));
  }
  return out;
}

int64_t CountCodePoints(std::string_view text) {
  int64_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

}  // namespace merganser::engine
