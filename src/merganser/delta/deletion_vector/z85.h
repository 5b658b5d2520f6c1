#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// ZeroMQ's base 85: four bytes to five characters. Bytes are padded with zeros to a multiple of
/// four.
std::string EncodeZ85(std::string_view bytes);
/// Nothing if the text is not Z85; blocks wrap at 32 bits. The padding stays; the caller knows the
/// length.
std::optional<std::string> DecodeZ85(std::string_view text);

/// A UUID ("d2c639aa-8816-431a-aaf6-d3fe2512ff61") as the 20 characters that descriptors hold.
std::optional<std::string> EncodeUuidZ85(std::string_view uuid);
/// The canonical text form of a UUID.
std::optional<std::string> DecodeUuidZ85(std::string_view text);

}  // namespace merganser
