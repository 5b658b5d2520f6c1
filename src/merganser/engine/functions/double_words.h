// What the functions of strict_math.h are made of: a double as two words of 32 bits (sign, exponent
// and 20 bits of the fraction above, 32 below), constants and polynomials.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace merganser::engine {

inline constexpr double kDoubleInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kDoubleNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInverseLn2 = 1.44269504088896338700e+00;
inline constexpr double kLn2 = 6.93147180559945286227e-01;
/// The same as a sum, whose first part has so few bits that small multiples are exact.
inline constexpr double kLn2High = 6.93147180369123816490e-01;
inline constexpr double kLn2Low = 1.90821492927058770002e-10;

/// The upper word of 1.0.
inline constexpr int32_t kHighOfOne = 0x3ff00000;

inline int32_t HighWord(double x) { return static_cast<int32_t>(std::bit_cast<uint64_t>(x) >> 32); }
inline uint32_t LowWord(double x) { return static_cast<uint32_t>(std::bit_cast<uint64_t>(x)); }
/// The upper word of |x|: it orders magnitudes to 20 bits.
inline int32_t HighMagnitude(double x) { return HighWord(x) & 0x7fffffff; }

inline double FromWords(int32_t high, uint32_t low) {
  return std::bit_cast<double>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | low);
}
inline double WithHighWord(double x, int32_t high) { return FromWords(high, LowWord(x)); }
/// x cut to the 21 leading bits of its fraction, so that products of two such are exact.
inline double Leading(double x) { return FromWords(HighWord(x), 0); }

/// x times 2^n, where neither leaves the normal numbers.
inline double AddExponent(double x, int n) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) + (static_cast<uint64_t>(n) << 52));
}
/// 2^n of a normal number.
inline double PowerOfTwo(int n) { return FromWords(kHighOfOne + (n * 0x100000), 0); }

/// c0 + x*(c1 + x*(c2 + ...)).
template <typename... Rest>
double Polynomial(double x, double first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first + x * Polynomial(x, rest...);
  }
}

/// What exp and pow make their quotients of.
inline double ExponentialSeries(double x) {
  const double square = x * x;
  return x - square * Polynomial(square, 1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                 6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                 4.13813679705723846039e-08);
}

}  // namespace merganser::engine
