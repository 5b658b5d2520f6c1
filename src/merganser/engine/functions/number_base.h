#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace merganser::engine {

/// Digits of `value` in a base of 2..36, upper case.
std::string UnsignedText(uint64_t value, int base);

/// Two upper-case digits a byte.
std::string HexText(std::string_view bytes);

/// Bytes of hexadecimal text; an odd number of digits gets a zero in front. nullopt if malformed.
std::optional<std::string> ParseHex(std::string_view text);

/// conv(): a number between bases of 2..36. Digits end at the first character that is none; a
/// negative `to` gives a signed result. nullopt for bases outside the range and empty text.
/// `overflow` is set when 64 bits do not hold the number, which is then all ones.
std::optional<std::string> ConvertBase(std::string_view text, int from, int to, bool* overflow);

}  // namespace merganser::engine
