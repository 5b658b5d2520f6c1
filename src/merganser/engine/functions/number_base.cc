#include "merganser/engine/functions/number_base.h"

#include <cstdlib>
#include <limits>

namespace merganser::engine {
namespace {

int DigitValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

}  // namespace

std::string UnsignedText(uint64_t value, int base) {
  std::string out;
  do {
    out.insert(out.begin(),
               "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % static_cast<unsigned>(base)]);
    value /= static_cast<unsigned>(base);
  } while (value != 0);
  return out;
}

std::string HexText(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += "0123456789ABCDEF"[byte >> 4];
    out += "0123456789ABCDEF"[byte & 15];
  }
  return out;
}

std::optional<std::string> ParseHex(std::string_view text) {
  std::string out;
  out.reserve((text.size() + 1) / 2);
  int high = text.size() % 2 == 0 ? -1 : 0;
  for (const char c : text) {
    const int digit = DigitValue(c);
    if (digit > 15) return std::nullopt;
    if (high < 0) {
      high = digit;
    } else {
      out += static_cast<char>(high << 4 | digit);
      high = -1;
    }
  }
  return out;
}

std::optional<std::string> ConvertBase(std::string_view text, int from, int to, bool* overflow) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty() || from < 2 || from > 36 || std::abs(to) < 2 || std::abs(to) > 36)
    return std::nullopt;
  bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  uint64_t value = 0;
  for (const char c : text) {
    const int digit = DigitValue(c);
    if (digit >= from) break;
    if (__builtin_mul_overflow(value, static_cast<uint64_t>(from), &value) ||
        __builtin_add_overflow(value, static_cast<uint64_t>(digit), &value)) {
      *overflow = true;
      value = std::numeric_limits<uint64_t>::max();
      break;
    }
  }
  const bool top_bit = (value >> 63) != 0;
  if (negative && to > 0) value = top_bit ? std::numeric_limits<uint64_t>::max() : 0 - value;
  if (to < 0 && (static_cast<int64_t>(value) < 0)) {
    value = 0 - value;
    negative = true;
  }
  std::string digits = UnsignedText(value, std::abs(to));
  return negative && to < 0 ? "-" + digits : digits;
}

}  // namespace merganser::engine
