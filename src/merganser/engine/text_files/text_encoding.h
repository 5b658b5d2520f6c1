#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser::engine {

/// The character sets that files of text can be in.
enum class TextEncoding : unsigned char {
  kUtf8,
  kLatin1,
  kAscii,
  kUtf16,  ///< The byte order is that of the mark at the front; big-endian without one.
  kUtf16Be,
  kUtf16Le,
  kUtf32
};

/// What a file in UTF-8 may begin with.
inline constexpr std::string_view kUtf8ByteOrderMark = "\xEF\xBB\xBF";

/// By Spark's name in any case; nullopt for one that Spark has not.
std::optional<TextEncoding> FindTextEncoding(std::string_view name);

/// Bytes of a whole file as UTF-8, without the mark at its front. What is no character becomes
/// U+FFFD.
std::string DecodeText(TextEncoding encoding, std::string_view bytes);

/// UTF-8 in an encoding, without a mark at the front; characters that it lacks become '?'.
std::string EncodeText(TextEncoding encoding, std::string_view utf8);

}  // namespace merganser::engine
