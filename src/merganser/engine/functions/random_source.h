#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace merganser::engine {

/// Spark's XORShiftRandom: the numbers of rand(), randn() and randstr().
class XorShiftRandom {
 public:
  explicit XorShiftRandom(int64_t seed);
  int32_t Next(int bits);
  int32_t NextInt() { return Next(32); }
  /// Within [0, 1).
  double NextDouble();
  /// Of the standard normal distribution.
  double NextGaussian();

 private:
  uint64_t seed_;
  std::optional<double> spare_gaussian_;
};

/// Commons Math's MersenneTwister: the numbers of uuid() and shuffle().
class MersenneTwister {
 public:
  explicit MersenneTwister(int64_t seed);
  uint32_t Next(int bits);
  int64_t NextLong();
  /// Within [0, bound).
  int32_t NextInt(int32_t bound);

 private:
  std::array<uint32_t, 624> state_;
  size_t index_ = 624;
};

}  // namespace merganser::engine
