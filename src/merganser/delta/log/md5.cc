#include "merganser/delta/log/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace merganser {
namespace {

constexpr std::array<std::array<int, 4>, 4> kShifts = {
    {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};

std::array<uint32_t, 64> MakeSines() {
  std::array<uint32_t, 64> sines = {};
  for (size_t i = 0; i < sines.size(); ++i) {
    sines[i] = static_cast<uint32_t>(
        std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
  }
  return sines;
}

const std::array<uint32_t, 64> kSines = MakeSines();

using State = std::array<uint32_t, 4>;

void AddBlock(const char* block, State& state) {
  static_assert(std::endian::native == std::endian::little);
  std::array<uint32_t, 16> words;
  std::memcpy(words.data(), block, 64);
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t mixed = 0;
    uint32_t word = 0;
    switch (i / 16) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default:
        mixed = c ^ (b | ~d);
        word = (7 * i) % 16;
        break;
    }
    const uint32_t rotated = std::rotl(a + mixed + kSines[i] + words[word], kShifts[i / 16][i % 4]);
    a = d;
    d = c;
    c = b;
    b += rotated;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

std::string Md5Hex(std::string_view bytes) {
  State state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::string padded(bytes);
  padded.push_back('\x80');
  while (padded.size() % 64 != 56) padded.push_back('\0');
  const uint64_t bits = uint64_t{bytes.size()} * 8;
  padded.append(reinterpret_cast<const char*>(&bits), sizeof(bits));
  for (size_t i = 0; i < padded.size(); i += 64) AddBlock(padded.data() + i, state);

  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const uint32_t word : state) {
    for (int shift = 0; shift < 32; shift += 8) {
      const uint32_t byte = word >> shift & 0xff;
      hex.push_back(kDigits[byte >> 4]);
      hex.push_back(kDigits[byte & 15]);
    }
  }
  return hex;
}

}  // namespace merganser
