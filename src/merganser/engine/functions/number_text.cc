#include "merganser/engine/functions/number_text.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace merganser::engine {
namespace {

bool IsBlank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7f;
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return out;
}

/// Java accepts 0x1.8p3 and requires the exponent.
template <typename T>
std::optional<T> ParseHex(std::string_view digits) {
  if (digits.find_first_of("pP") == std::string_view::npos) return std::nullopt;
  T value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::hex);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view TrimAll(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view TrimJava(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= 0x20) text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= 0x20) text.remove_suffix(1);
  return text;
}

template <typename T>
std::optional<T> ParseInteger(std::string_view text, bool allow_fraction) {
  text = TrimAll(text);
  if (text.empty()) return std::nullopt;
  size_t at = 0;
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') {
    if (text.size() == 1) return std::nullopt;
    at = 1;
  }
  // Counts down, since the negative range is the larger one.
  int64_t value = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && allow_fraction) break;
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, c - '0', &value))
      return std::nullopt;
  }
  for (++at; at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
  }
  if (!negative) {
    if (value == std::numeric_limits<int64_t>::min()) return std::nullopt;
    value = -value;
  }
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max())
    return std::nullopt;
  return static_cast<T>(value);
}

template std::optional<int8_t> ParseInteger<int8_t>(std::string_view, bool);
template std::optional<int16_t> ParseInteger<int16_t>(std::string_view, bool);
template std::optional<int32_t> ParseInteger<int32_t>(std::string_view, bool);
template std::optional<int64_t> ParseInteger<int64_t>(std::string_view, bool);

template <typename T>
std::optional<T> ParseFloating(std::string_view text) {
  text = TrimJava(text);
  if (text.empty()) return std::nullopt;
  std::string_view body = text;
  const bool negative = body.front() == '-';
  if (negative || body.front() == '+') body.remove_prefix(1);
  if (body.empty()) return std::nullopt;
  const T sign = negative ? T{-1} : T{1};
  if ((body.front() < '0' || body.front() > '9') && body.front() != '.') {
    const std::string word = Lower(body);
    if (word == "inf" || word == "infinity") return sign * std::numeric_limits<T>::infinity();
    if (word == "nan" && (body.size() == text.size() || body == "NaN"))
      return std::numeric_limits<T>::quiet_NaN();
    return std::nullopt;
  }
  if (body.size() > 1) {
    const char suffix = body.back();
    const bool hex = body[1] == 'x' || body[1] == 'X';
    if (suffix == 'd' || suffix == 'D' || suffix == 'f' || suffix == 'F') {
      if (!hex || body.find_first_of("pP") != std::string_view::npos) body.remove_suffix(1);
    }
    if (hex) {
      const auto value = ParseHex<T>(body.substr(2));
      if (!value) return std::nullopt;
      return sign * *value;
    }
  }
  if (body.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  T value = 0;
  const char* end = body.data() + body.size();
  const auto result = std::from_chars(body.data(), end, value);
  if (result.ec == std::errc::result_out_of_range && result.ptr == end) {
    // Java gives zero or infinity: the sign of the decimal exponent says which.
    const size_t e = body.find_first_of("eE");
    const size_t point = body.find('.');
    const size_t first = body.find_first_of("123456789");
    int64_t exponent = 0;
    if (e != std::string_view::npos) {
      const char* from = body.data() + e + (body[e + 1] == '+' ? 2 : 1);
      if (std::from_chars(from, end, exponent).ec != std::errc())
        exponent = body[e + 1] == '-' ? -1000000 : 1000000;
    }
    const auto whole =
        static_cast<int64_t>(point == std::string_view::npos ? std::min(e, body.size()) : point);
    const bool large = whole - static_cast<int64_t>(first) + exponent > 0;
    return large ? sign * std::numeric_limits<T>::infinity() : sign * T{0};
  }
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return sign * value;
}

template std::optional<float> ParseFloating<float>(std::string_view);
template std::optional<double> ParseFloating<double>(std::string_view);

std::optional<bool> ParseBoolean(std::string_view text) {
  const std::string word = Lower(TrimAll(text));
  if (word == "t" || word == "true" || word == "y" || word == "yes" || word == "1") return true;
  if (word == "f" || word == "false" || word == "n" || word == "no" || word == "0") return false;
  return std::nullopt;
}

void AppendInteger(int64_t value, std::string* out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  out->append(buffer, end);
}

void AppendPadded(int64_t value, int width, std::string* out) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  const auto digits = static_cast<int>(end - buffer);
  if (digits < width) out->append(static_cast<size_t>(width - digits), '0');
  out->append(buffer, end);
}

}  // namespace merganser::engine
