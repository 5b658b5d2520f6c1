#include "merganser/engine/text_files/text_encoding.h"

#include <array>
#include <cstdint>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr uint32_t kByteOrderMark = 0xFEFF;

void AppendUtf8(uint32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
  } else if (c < 0x800) {
    *out += static_cast<char>(0xC0 | (c >> 6));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out += static_cast<char>(0xE0 | (c >> 12));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | (c >> 18));
    *out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// The character of valid UTF-8 at `at`, which moves behind it.
uint32_t NextCharacter(std::string_view text, size_t* at) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(text[i])); };
  const uint32_t first = byte((*at)++);
  if (first < 0x80) return first;
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  uint32_t c = first & (0x3FU >> more);
  for (int i = 0; i < more && *at < text.size(); ++i) c = (c << 6) | (byte((*at)++) & 0x3F);
  return c;
}

uint32_t Unit(std::string_view bytes, size_t at, size_t width, bool big) {
  uint32_t unit = 0;
  for (size_t i = 0; i < width; ++i) {
    const size_t place = big ? at + i : at + width - 1 - i;
    unit = (unit << 8) | static_cast<uint8_t>(bytes[place]);
  }
  return unit;
}

std::string DecodeUnits(std::string_view bytes, size_t width, bool big, bool has_mark) {
  std::string text;
  text.reserve(bytes.size());
  size_t at = 0;
  if (has_mark && bytes.size() >= width) {
    const bool other = Unit(bytes, 0, width, !big) == kByteOrderMark;
    if (other) big = !big;
    if (other || Unit(bytes, 0, width, big) == kByteOrderMark) at = width;
  }
  for (; at + width <= bytes.size(); at += width) {
    uint32_t c = Unit(bytes, at, width, big);
    if (width == 2 && c >= 0xD800 && c < 0xDC00 && at + 4 <= bytes.size()) {
      const uint32_t low = Unit(bytes, at + 2, 2, big);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    const bool valid = c < 0x110000 && (c < 0xD800 || c >= 0xE000);
    AppendUtf8(valid ? c : kReplacement, &text);
  }
  if (at < bytes.size()) AppendUtf8(kReplacement, &text);
  return text;
}

void AppendUnit(uint32_t unit, size_t width, bool big, std::string* out) {
  for (size_t i = 0; i < width; ++i) {
    const size_t shift = 8 * (big ? width - 1 - i : i);
    *out += static_cast<char>((unit >> shift) & 0xFF);
  }
}

}  // namespace

std::optional<TextEncoding> FindTextEncoding(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, TextEncoding>, 7> kNames = {{
      {"utf-8", TextEncoding::kUtf8},
      {"iso-8859-1", TextEncoding::kLatin1},
      {"us-ascii", TextEncoding::kAscii},
      {"utf-16", TextEncoding::kUtf16},
      {"utf-16be", TextEncoding::kUtf16Be},
      {"utf-16le", TextEncoding::kUtf16Le},
      {"utf-32", TextEncoding::kUtf32},
  }};
  const std::string lower = AsciiLowerCase(name);
  for (const auto& [known, encoding] : kNames) {
    if (lower == known) return encoding;
  }
  return std::nullopt;
}

std::string DecodeText(TextEncoding encoding, std::string_view bytes) {
  switch (encoding) {
    case TextEncoding::kUtf8:
      if (bytes.starts_with(kUtf8ByteOrderMark)) bytes.remove_prefix(kUtf8ByteOrderMark.size());
      return ValidUtf8(bytes);
    case TextEncoding::kLatin1:
    case TextEncoding::kAscii: {
      std::string text;
      text.reserve(bytes.size());
      for (const char c : bytes) {
        const auto byte = static_cast<uint8_t>(c);
        const bool known = byte < 0x80 || encoding == TextEncoding::kLatin1;
        AppendUtf8(known ? byte : kReplacement, &text);
      }
      return text;
    }
    case TextEncoding::kUtf16:
      return DecodeUnits(bytes, 2, /*big=*/true, /*has_mark=*/true);
    case TextEncoding::kUtf16Be:
      return DecodeUnits(bytes, 2, /*big=*/true, /*has_mark=*/false);
    case TextEncoding::kUtf16Le:
      return DecodeUnits(bytes, 2, /*big=*/false, /*has_mark=*/false);
    case TextEncoding::kUtf32:
      return DecodeUnits(bytes, 4, /*big=*/true, /*has_mark=*/true);
  }
  return {};
}

std::string EncodeText(TextEncoding encoding, std::string_view utf8) {
  if (encoding == TextEncoding::kUtf8) return std::string(utf8);
  std::string bytes;
  size_t at = 0;
  while (at < utf8.size()) {
    const uint32_t c = NextCharacter(utf8, &at);
    switch (encoding) {
      case TextEncoding::kLatin1:
      case TextEncoding::kAscii:
        bytes +=
            c < (encoding == TextEncoding::kLatin1 ? 0x100U : 0x80U) ? static_cast<char>(c) : '?';
        break;
      case TextEncoding::kUtf32:
        AppendUnit(c, 4, /*big=*/true, &bytes);
        break;
      default: {
        const bool big = encoding != TextEncoding::kUtf16Le;
        if (c < 0x10000) {
          AppendUnit(c, 2, big, &bytes);
        } else {
          AppendUnit(0xD800 + ((c - 0x10000) >> 10), 2, big, &bytes);
          AppendUnit(0xDC00 + ((c - 0x10000) & 0x3FF), 2, big, &bytes);
        }
      }
    }
  }
  return bytes;
}

}  // namespace merganser::engine
