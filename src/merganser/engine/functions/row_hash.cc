#include "merganser/engine/functions/row_hash.h"

#include <bit>
#include <cstring>

namespace merganser::engine {
namespace {

uint32_t MixKey(uint32_t key) {
  key *= 0xcc9e2d51U;
  key = std::rotl(key, 15);
  return key * 0x1b873593U;
}

uint32_t MixHash(uint32_t hash, uint32_t key) {
  hash ^= key;
  hash = std::rotl(hash, 13);
  return hash * 5 + 0xe6546b64U;
}

int32_t Finish32(uint32_t hash, uint32_t length) {
  hash ^= length;
  hash ^= hash >> 16;
  hash *= 0x85ebca6bU;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35U;
  hash ^= hash >> 16;
  return static_cast<int32_t>(hash);
}

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ULL;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FULL;
constexpr uint64_t kPrime3 = 0x165667B19E3779F9ULL;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63ULL;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5ULL;

int64_t Finish64(uint64_t hash) {
  hash ^= hash >> 33;
  hash *= kPrime2;
  hash ^= hash >> 29;
  hash *= kPrime3;
  hash ^= hash >> 32;
  return static_cast<int64_t>(hash);
}

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

uint64_t Round(uint64_t accumulator, uint64_t input) {
  return std::rotl(accumulator + input * kPrime2, 31) * kPrime1;
}

uint64_t MixLong(uint64_t hash, uint64_t value) {
  hash ^= Round(0, value);
  return std::rotl(hash, 27) * kPrime1 + kPrime4;
}

}  // namespace

int32_t Murmur3Int(int32_t value, int32_t seed) {
  return Finish32(MixHash(static_cast<uint32_t>(seed), MixKey(static_cast<uint32_t>(value))), 4);
}

int32_t Murmur3Long(int64_t value, int32_t seed) {
  uint32_t hash = MixHash(static_cast<uint32_t>(seed), MixKey(static_cast<uint32_t>(value)));
  hash = MixHash(hash, MixKey(static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32)));
  return Finish32(hash, 8);
}

int32_t Murmur3Bytes(std::string_view bytes, int32_t seed) {
  auto hash = static_cast<uint32_t>(seed);
  size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4)
    hash = MixHash(hash, MixKey(Load<uint32_t>(bytes.data() + at)));
  for (; at < bytes.size(); ++at)
    hash = MixHash(
        hash,
        MixKey(static_cast<uint32_t>(static_cast<int32_t>(static_cast<signed char>(bytes[at])))));
  return Finish32(hash, static_cast<uint32_t>(bytes.size()));
}

int64_t XxHash64Int(int32_t value, int64_t seed) {
  uint64_t hash = static_cast<uint64_t>(seed) + kPrime5 + 4;
  hash ^= static_cast<uint64_t>(static_cast<uint32_t>(value)) * kPrime1;
  hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
  return Finish64(hash);
}

int64_t XxHash64Long(int64_t value, int64_t seed) {
  return Finish64(MixLong(static_cast<uint64_t>(seed) + kPrime5 + 8, static_cast<uint64_t>(value)));
}

int64_t XxHash64Bytes(std::string_view bytes, int64_t seed) {
  const auto start = static_cast<uint64_t>(seed);
  size_t at = 0;
  uint64_t hash = 0;
  if (bytes.size() >= 32) {
    uint64_t v1 = start + kPrime1 + kPrime2, v2 = start + kPrime2, v3 = start, v4 = start - kPrime1;
    for (; at + 32 <= bytes.size(); at += 32) {
      v1 = Round(v1, Load<uint64_t>(bytes.data() + at));
      v2 = Round(v2, Load<uint64_t>(bytes.data() + at + 8));
      v3 = Round(v3, Load<uint64_t>(bytes.data() + at + 16));
      v4 = Round(v4, Load<uint64_t>(bytes.data() + at + 24));
    }
    hash = std::rotl(v1, 1) + std::rotl(v2, 7) + std::rotl(v3, 12) + std::rotl(v4, 18);
    for (const uint64_t v : {v1, v2, v3, v4}) hash = (hash ^ Round(0, v)) * kPrime1 + kPrime4;
  } else {
    hash = start + kPrime5;
  }
  hash += bytes.size();
  for (; at + 8 <= bytes.size(); at += 8) hash = MixLong(hash, Load<uint64_t>(bytes.data() + at));
  if (at + 4 <= bytes.size()) {
    hash ^= static_cast<uint64_t>(Load<uint32_t>(bytes.data() + at)) * kPrime1;
    hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < bytes.size(); ++at) {
    hash ^= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at])) * kPrime5;
    hash = std::rotl(hash, 11) * kPrime1;
  }
  return Finish64(hash);
}

}  // namespace merganser::engine
