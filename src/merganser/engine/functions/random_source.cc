#include "merganser/engine/functions/random_source.h"

#include <bit>
#include <cmath>

namespace merganser::engine {
namespace {

/// scala.util.hashing.MurmurHash3.bytesHash of a long's eight big-endian bytes.
uint32_t HashBytes(uint64_t value, uint32_t seed) {
  uint32_t hash = seed;
  for (const int shift : {32, 0}) {
    uint32_t key = __builtin_bswap32(static_cast<uint32_t>(value >> shift));
    key *= 0xcc9e2d51U;
    key = std::rotl(key, 15);
    key *= 0x1b873593U;
    hash ^= key;
    hash = std::rotl(hash, 13);
    hash = hash * 5 + 0xe6546b64U;
  }
  hash ^= 8;
  hash ^= hash >> 16;
  hash *= 0x85ebca6bU;
  hash ^= hash >> 13;
  hash *= 0xc2b2ae35U;
  hash ^= hash >> 16;
  return hash;
}

}  // namespace

XorShiftRandom::XorShiftRandom(int64_t seed) {
  constexpr uint32_t kArraySeed = 0x3c074a61;
  const uint32_t low = HashBytes(static_cast<uint64_t>(seed), kArraySeed);
  const uint32_t high = HashBytes(static_cast<uint64_t>(seed), low);
  seed_ = static_cast<uint64_t>(high) << 32 | low;
}

int32_t XorShiftRandom::Next(int bits) {
  uint64_t next = seed_ ^ (seed_ << 21);
  next ^= next >> 35;
  next ^= next << 4;
  seed_ = next;
  return static_cast<int32_t>(next & ((uint64_t{1} << bits) - 1));
}

double XorShiftRandom::NextDouble() {
  const int64_t high = Next(26);
  const int64_t low = Next(27);
  return static_cast<double>((high << 27) + low) * 0x1.0p-53;
}

double XorShiftRandom::NextGaussian() {
  if (spare_gaussian_) {
    const double spare = *spare_gaussian_;
    spare_gaussian_.reset();
    return spare;
  }
  double v1 = 0;
  double v2 = 0;
  double s = 0;
  do {
    v1 = 2 * NextDouble() - 1;
    v2 = 2 * NextDouble() - 1;
    s = v1 * v1 + v2 * v2;
  } while (s >= 1 || s == 0);
  const double multiplier = std::sqrt(-2 * std::log(s) / s);
  spare_gaussian_ = v2 * multiplier;
  return v1 * multiplier;
}

MersenneTwister::MersenneTwister(int64_t seed) {
  // init_by_array with the two halves of the seed, high first.
  const std::array<uint32_t, 2> key = {static_cast<uint32_t>(static_cast<uint64_t>(seed) >> 32),
                                       static_cast<uint32_t>(seed)};
  constexpr size_t kSize = 624;
  state_[0] = 19650218U;
  for (size_t i = 1; i < kSize; ++i)
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<uint32_t>(i);
  size_t i = 1;
  size_t j = 0;
  for (size_t k = kSize; k > 0; --k) {
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + key[j] +
                static_cast<uint32_t>(j);
    if (++i >= kSize) {
      state_[0] = state_[kSize - 1];
      i = 1;
    }
    if (++j >= key.size()) j = 0;
  }
  for (size_t k = kSize - 1; k > 0; --k) {
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) -
                static_cast<uint32_t>(i);
    if (++i >= kSize) {
      state_[0] = state_[kSize - 1];
      i = 1;
    }
  }
  state_[0] = 0x80000000U;
}

uint32_t MersenneTwister::Next(int bits) {
  constexpr size_t kSize = 624;
  constexpr size_t kShift = 397;
  if (index_ >= kSize) {
    for (size_t k = 0; k < kSize; ++k) {
      const uint32_t y = (state_[k] & 0x80000000U) | (state_[(k + 1) % kSize] & 0x7fffffffU);
      state_[k] = state_[(k + kShift) % kSize] ^ (y >> 1) ^ ((y & 1) != 0 ? 0x9908b0dfU : 0);
    }
    index_ = 0;
  }
  uint32_t y = state_[index_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680U;
  y ^= (y << 15) & 0xefc60000U;
  y ^= y >> 18;
  return y >> (32 - bits);
}

int64_t MersenneTwister::NextLong() {
  const uint64_t high = Next(32);
  const uint64_t low = Next(32);
  return static_cast<int64_t>(high << 32 | low);
}

int32_t MersenneTwister::NextInt(int32_t bound) {
  if ((bound & -bound) == bound) return static_cast<int32_t>((int64_t{bound} * Next(31)) >> 31);
  int32_t bits = 0;
  int32_t value = 0;
  do {
    bits = static_cast<int32_t>(Next(31));
    value = bits % bound;
  } while (static_cast<int64_t>(bits) - value + (bound - 1) > INT32_MAX);
  return value;
}

}  // namespace merganser::engine
