#include "merganser/cli/display_width.h"

#include <cstdint>

namespace merganser {
namespace {

/// The code point at `at`, which moves past it; damaged bytes count as one character each.
uint32_t NextCodePoint(std::string_view text, size_t* at) {
  const auto lead = static_cast<unsigned char>(text[*at]);
  const size_t length = lead < 0x80    ? 1
                        : lead >= 0xf0 ? 4
                        : lead >= 0xe0 ? 3
                        : lead >= 0xc0 ? 2
                                       : 1;
  if (length == 1 || *at + length > text.size()) {
    ++*at;
    return lead;
  }
  uint32_t code = lead & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i)
    code = (code << 6) | (static_cast<unsigned char>(text[*at + i]) & 0x3f);
  *at += length;
  return code;
}

/// The ranges that Spark counts as full width.
bool IsFullWidth(uint32_t code) {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
         (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
         (code >= 0xffe0 && code <= 0xffe6);
}

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) width += IsFullWidth(NextCodePoint(text, &at)) ? 2 : 1;
  return width;
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); ++count) NextCodePoint(text, &at);
  return count;
}

std::string_view FirstCharacters(std::string_view text, size_t characters) {
  size_t at = 0;
  for (size_t i = 0; i < characters && at < text.size(); ++i) NextCodePoint(text, &at);
  return text.substr(0, at);
}

}  // namespace merganser
