#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Text as code points. All functions take valid UTF-8.
namespace merganser::engine {

/// Bytes of the code point that begins with `lead`.
constexpr size_t CodePointSize(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

bool IsAscii(std::string_view text);

/// The code point at byte `at`.
uint32_t CodePointAt(std::string_view text, size_t at);
void AppendCodePoint(uint32_t code, std::string* out);

/// Byte offset of code point number `index`, the size of `text` if it has fewer.
size_t ByteOffset(std::string_view text, int64_t index);

/// Full case mappings of the root locale (a sharp s becomes "SS", a final sigma is kept).
std::string ToUpper(std::string_view text);
std::string ToLower(std::string_view text);
/// Every word between spaces with a first letter in title case and the others in lower case.
std::string InitCap(std::string_view text);

bool IsUpperCase(uint32_t code);
bool IsLowerCase(uint32_t code);

}  // namespace merganser::engine
