// pow: 2^(exponent * log2 |base|), the logarithm and the product in two doubles each.
#include <array>
#include <cmath>

#include "merganser/engine/functions/double_words.h"
#include "merganser/engine/functions/strict_math.h"

namespace merganser::engine {
namespace {

/// A number as high + low, where high has few bits.
struct Pair {
  double high;
  double low;
};

enum class Parity { kNone, kEven, kOdd };

/// Whether `y` is a whole number, and which.
Parity ParityOf(double y) {
  const double magnitude = std::abs(y);
  if (magnitude >= 0x1p53) return Parity::kEven;
  if (magnitude < 1 || magnitude != std::trunc(magnitude)) return Parity::kNone;
  return static_cast<int64_t>(magnitude) % 2 == 1 ? Parity::kOdd : Parity::kEven;
}

/// log2 of a number so near to 1 that a huge exponent neither over- nor underflows.
Pair LogNearOne(double x) {
  constexpr double kInverseLn2High = 1.44269502162933349609e+00;
  constexpr double kInverseLn2Low = 1.92596299112661746887e-08;
  const double t = x - 1;
  const double w = (t * t) * (0.5 - t * (0.3333333333333333333333 - t * 0.25));
  const double u = kInverseLn2High * t;
  const double v = t * kInverseLn2Low - w * kInverseLn2;
  const double high = Leading(u + v);
  return {.high = high, .low = v - (high - u)};
}

Pair LogOfPositive(double x) {
  constexpr double kCp = 9.61796693925975554329e-01;  // 2 / (3 ln2)
  constexpr double kCpHigh = 9.61796700954437255859e-01;
  constexpr double kCpLow = -7.02846165095275826516e-09;
  constexpr std::array<double, 2> kBase{1.0, 1.5};
  constexpr std::array<double, 2> kLogHigh{0.0, 5.84962487220764160156e-01};
  constexpr std::array<double, 2> kLogLow{0.0, 1.35003920212974897128e-08};

  int n = 0;
  if (HighMagnitude(x) < 0x00100000) {
    x *= 0x1p53;
    n = -53;
  }
  n += (HighWord(x) >> 20) - 0x3ff;
  const int32_t fraction = HighWord(x) & 0x000fffff;
  int32_t high = fraction | kHighOfOne;
  size_t k = 0;
  if (fraction > 0x3988e) {
    if (fraction < 0xbb67a) {
      k = 1;
    } else {
      n += 1;
      high -= 0x00100000;
    }
  }
  x = WithHighWord(x, high);
  const double u = x - kBase[k];
  const double v = 1 / (x + kBase[k]);
  const double s = u * v;
  const double s_high = Leading(s);
  const double sum_high =
      FromWords(((high >> 1) | 0x20000000) + 0x00080000 + (static_cast<int32_t>(k) << 18), 0);
  const double sum_low = x - (sum_high - kBase[k]);
  const double s_low = v * ((u - s_high * sum_high) - s_high * sum_low);
  const double square = s * s;
  double r = square * square *
             Polynomial(square, 5.99999999999994648725e-01, 4.28571428578550184252e-01,
                        3.33333329818377432918e-01, 2.72728123808534006489e-01,
                        2.30660745775561754067e-01, 2.06975017800338417784e-01);
  r += s_low * (s_high + s);
  const double square_high = s_high * s_high;
  const double t_high = Leading(3 + square_high + r);
  const double t_low = r - ((t_high - 3) - square_high);
  const double product = s_high * t_high;
  const double rest = s_low * t_high + t_low * s;
  const double p_high = Leading(product + rest);
  const double p_low = rest - (p_high - product);
  const double z_high = kCpHigh * p_high;
  const double z_low = kCpLow * p_high + p_low * kCp + kLogLow[k];
  const double power = n;
  const double log_high = Leading(((z_high + z_low) + kLogHigh[k]) + power);
  return {.high = log_high, .low = z_low - (((log_high - power) - kLogHigh[k]) - z_high)};
}

/// 2^(high + low), infinity or 0 beyond the doubles.
double TwoTo(double high, double low) {
  constexpr double kOverflowTail = 8.0085662595372944372e-17;  // -(1024 - log2(largest + ulp / 2))
  constexpr double kWideLn2High = 6.93147182464599609375e-01;
  constexpr double kWideLn2Low = -1.90465429995776804525e-09;
  double z = low + high;
  if (z > 1024 || (z == 1024 && low + kOverflowTail > z - high)) return kDoubleInfinity;
  if (z < -1075 || (z == -1075 && low <= z - high)) return 0;
  int n = 0;
  if (HighMagnitude(z) > 0x3fe00000) {
    const int32_t word = HighWord(z);
    int shift = (HighMagnitude(z) >> 20) - 0x3ff;
    const int32_t rounded = word + (0x00100000 >> (shift + 1));
    shift = ((rounded & 0x7fffffff) >> 20) - 0x3ff;
    n = ((rounded & 0x000fffff) | 0x00100000) >> (20 - shift);
    if (word < 0) n = -n;
    high -= FromWords(rounded & ~(0x000fffff >> shift), 0);
  }
  const double t = Leading(low + high);
  const double u = t * kWideLn2High;
  const double v = (low - (t - high)) * kLn2 + t * kWideLn2Low;
  z = u + v;
  const double w = v - (z - u);
  const double c = ExponentialSeries(z);
  const double r = (z * c) / (c - 2) - (w + z * w);
  z = 1 - (r - z);
  return (HighWord(z) >> 20) + n <= 0 ? std::ldexp(z, n) : AddExponent(z, n);
}

/// The cases without a logarithm of their own: zeros, ones, infinities.
double PowerOfSpecial(double base, double exponent) {
  if (std::isinf(exponent)) {
    const double magnitude = std::abs(base);
    if (magnitude == 1) return kDoubleNaN;
    return (magnitude > 1) == (exponent > 0) ? kDoubleInfinity : 0;
  }
  const double power = std::abs(base) == 1             ? 1
                       : (base == 0) == (exponent > 0) ? 0
                                                       : kDoubleInfinity;
  const Parity parity = ParityOf(exponent);
  if (!std::signbit(base)) return power;
  if (base == -1 && parity == Parity::kNone) return kDoubleNaN;
  return parity == Parity::kOdd ? -power : power;
}

}  // namespace

double StrictPow(double base, double exponent) {
  if (exponent == 0) return 1;
  if (std::isnan(base) || std::isnan(exponent)) return kDoubleNaN;
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  if (exponent == -1) return 1 / base;
  if (exponent == 0.5 && !std::isinf(base)) return std::sqrt(base + 0.0);
  const double magnitude = std::abs(base);
  if (std::isinf(exponent) || std::isinf(base) || base == 0 || magnitude == 1)
    return PowerOfSpecial(base, exponent);
  const Parity parity = ParityOf(exponent);
  if (base < 0 && parity == Parity::kNone) return kDoubleNaN;
  const double sign = base < 0 && parity == Parity::kOdd ? -1 : 1;
  Pair log{};
  if (HighMagnitude(exponent) > 0x41e00000) {  // 2^31
    if (HighMagnitude(base) < 0x3fefffff) return sign * (exponent < 0 ? kDoubleInfinity : 0);
    if (HighMagnitude(base) > kHighOfOne) return sign * (exponent > 0 ? kDoubleInfinity : 0);
    log = LogNearOne(magnitude);
  } else {
    log = LogOfPositive(magnitude);
  }
  const double exponent_high = Leading(exponent);
  return sign * TwoTo(exponent_high * log.high,
                      (exponent - exponent_high) * log.high + exponent * log.low);
}

}  // namespace merganser::engine
