#include "merganser/delta/deletion_vector/z85.h"

#include <array>
#include <cstdint>

#include "merganser/base/uuid.h"

namespace merganser {
namespace {

constexpr std::string_view kAlphabet =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

constexpr std::array<int8_t, 256> MakeDigits() {
  std::array<int8_t, 256> digits = {};
  digits.fill(-1);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return digits;
}

constexpr std::array<int8_t, 256> kDigits = MakeDigits();

constexpr size_t kUuidBytes = 16;
constexpr size_t kEncodedUuidSize = 20;

}  // namespace

std::string EncodeZ85(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 3) / 4 * 5);
  for (size_t i = 0; i < bytes.size(); i += 4) {
    uint32_t block = 0;
    for (size_t k = 0; k < 4; ++k) {
      const uint32_t byte = i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0;
      block = block << 8 | byte;
    }
    for (uint32_t divisor = 85 * 85 * 85 * 85; divisor != 0; divisor /= 85) {
      text.push_back(kAlphabet[block / divisor % 85]);
    }
  }
  return text;
}

std::optional<std::string> DecodeZ85(std::string_view text) {
  if (text.size() % 5 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 5 * 4);
  for (size_t i = 0; i < text.size(); i += 5) {
    // What exceeds 32 bits is dropped, as Delta's own decoder does: texts with such padding exist.
    uint32_t block = 0;
    for (size_t k = 0; k < 5; ++k) {
      const int8_t digit = kDigits[static_cast<unsigned char>(text[i + k])];
      if (digit < 0) return std::nullopt;
      block = block * 85 + static_cast<uint32_t>(digit);
    }
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(block >> shift));
  }
  return bytes;
}

std::optional<std::string> EncodeUuidZ85(std::string_view uuid) {
  if (!IsUuid(uuid)) return std::nullopt;
  std::string bytes;
  int high = -1;
  for (const char c : uuid) {
    if (c == '-') continue;
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      bytes.push_back(static_cast<char>(high * 16 + digit));
      high = -1;
    }
  }
  return EncodeZ85(bytes);
}

std::optional<std::string> DecodeUuidZ85(std::string_view text) {
  if (text.size() != kEncodedUuidSize) return std::nullopt;
  const auto bytes = DecodeZ85(text);
  if (!bytes) return std::nullopt;
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string uuid;
  for (size_t i = 0; i < kUuidBytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid.push_back('-');
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    uuid.push_back(kHex[byte >> 4]);
    uuid.push_back(kHex[byte & 15]);
  }
  return uuid;
}

}  // namespace merganser
