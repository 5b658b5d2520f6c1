#pragma once

#include <string_view>

/// ASCII characters as Spark's parsers class them.
namespace merganser {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// The value of a hexadecimal digit, -1 of another character.
constexpr int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// `text` without the spaces and control characters at its ends, as Java's String.trim.
constexpr std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return c >= 0 && c <= ' '; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace merganser
