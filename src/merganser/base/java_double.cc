#include "merganser/base/java_double.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace merganser {
namespace {

using Buffer = std::array<char, 64>;

/// The shortest digits that read back as `value`, as d.ddde+xx.
template <typename T>
std::string_view Scientific(T value, Buffer* buffer) {
  const auto written = std::to_chars(buffer->data(), buffer->data() + buffer->size(), value,
                                     std::chars_format::scientific);
  return {buffer->data(), static_cast<size_t>(written.ptr - buffer->data())};
}

template <typename T>
std::string_view TwoDigits(T value, Buffer* buffer) {
  const auto written = std::to_chars(buffer->data(), buffer->data() + buffer->size(), value,
                                     std::chars_format::scientific, 1);
  return {buffer->data(), static_cast<size_t>(written.ptr - buffer->data())};
}

template <typename T>
std::string Format(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";

  Buffer buffer;
  std::string_view text = Scientific(std::abs(value), &buffer);
  // Java always has a second digit, and prefers the nearest such number to a shorter one.
  Buffer two_digit_buffer;
  if (text[1] == 'e') {
    const std::string_view two_digits = TwoDigits(std::abs(value), &two_digit_buffer);
    T read_back = 0;
    std::from_chars(two_digits.data(), two_digits.data() + two_digits.size(), read_back);
    if (read_back == std::abs(value)) text = two_digits;
  }
  const size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2) digits.append(text.substr(2, e - 2));
  int exponent = 0;
  const char* first = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(first, text.data() + text.size(), exponent);
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();

  std::string out = value < 0 ? "-" : "";
  if (exponent < -3 || exponent >= 7) {
    out += digits[0];
    out += '.';
    out += digits.size() > 1 ? digits.substr(1) : "0";
    out += 'E';
    out += std::to_string(exponent);
  } else if (exponent < 0) {
    out += "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  } else {
    const size_t whole = static_cast<size_t>(exponent) + 1;
    if (digits.size() < whole) digits.resize(whole, '0');
    out += digits.substr(0, whole) + "." + (digits.size() > whole ? digits.substr(whole) : "0");
  }
  return out;
}

}  // namespace

std::string JavaToString(double value) { return Format(value); }
std::string JavaToString(float value) { return Format(value); }

}  // namespace merganser
