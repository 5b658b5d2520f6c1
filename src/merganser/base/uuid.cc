#include "merganser/base/uuid.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <random>

#include <sys/random.h>

namespace merganser {
namespace {

constexpr size_t kTextSize = 36;

constexpr bool IsDashPosition(size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

std::array<uint8_t, 16> RandomBytes() {
  std::array<uint8_t, 16> bytes;
  // Requests of up to 256 bytes are answered whole once the generator is seeded.
  ssize_t got;
  do {
    got = getrandom(bytes.data(), bytes.size(), 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(bytes.size())) {
    std::random_device device;
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(device());
  }
  return bytes;
}

}  // namespace

std::string RandomUuid() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::array<uint8_t, 16> bytes = RandomBytes();
  bytes[6] = static_cast<uint8_t>((bytes[6] & 0x0F) | 0x40);
  bytes[8] = static_cast<uint8_t>((bytes[8] & 0x3F) | 0x80);
  std::string text;
  text.reserve(kTextSize);
  for (const uint8_t byte : bytes) {
    if (IsDashPosition(text.size())) text.push_back('-');
    text.push_back(kHex[byte >> 4]);
    text.push_back(kHex[byte & 0x0F]);
  }
  return text;
}

bool IsUuid(std::string_view text) {
  if (text.size() != kTextSize) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (IsDashPosition(i) ? c != '-' : !hex) return false;
  }
  return true;
}

}  // namespace merganser
