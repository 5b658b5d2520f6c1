// log, log10, log1p and the inverse hyperbolic functions made of them.
#include <cmath>
#include <optional>

#include "merganser/engine/functions/double_words.h"
#include "merganser/engine/functions/strict_math.h"

namespace merganser::engine {
namespace {

// The series of log((1+s)/(1-s)) - 2s in powers of s^2.
constexpr double kLog1 = 6.666666666666735130e-01;
constexpr double kLog2 = 3.999999999940941908e-01;
constexpr double kLog3 = 2.857142874366239149e-01;
constexpr double kLog4 = 2.222219843214978396e-01;
constexpr double kLog5 = 1.818357216161805012e-01;
constexpr double kLog6 = 1.531383769920937332e-01;
constexpr double kLog7 = 1.479819860511658591e-01;

/// The logarithm, in any base, of what is no positive finite number.
std::optional<double> LogOfSpecial(double x) {
  if (x == 0) return -kDoubleInfinity;
  if (x < 0) return kDoubleNaN;
  if (!std::isfinite(x)) return x;
  return std::nullopt;
}

/// Multiply a subnormal number by a power of two; gives the exponent that `x` then lacks.
int MakeNormal(double& x) {
  if (HighWord(x) >= 0x00100000) return 0;
  x *= 0x1p54;
  return -54;
}

}  // namespace

double StrictLog(double x) {
  if (const auto special = LogOfSpecial(x)) return *special;
  int k = MakeNormal(x);
  const int32_t high = HighWord(x);
  const int32_t fraction = high & 0x000fffff;
  // Half a power of two up where the fraction is above the root of 2.
  const int32_t carry = (fraction + 0x95f64) & 0x100000;
  k += (high >> 20) - 1023 + (carry >> 20);
  const double f = WithHighWord(x, fraction | (carry ^ kHighOfOne)) - 1;
  const double power = k;
  if ((0x000fffff & (2 + fraction)) < 3) {
    if (f == 0) return k == 0 ? 0 : power * kLn2High + power * kLn2Low;
    const double r = f * f * (0.5 - 0.33333333333333333 * f);
    return k == 0 ? f - r : power * kLn2High - ((r - power * kLn2Low) - f);
  }
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  const double even = w * Polynomial(w, kLog2, kLog4, kLog6);
  const double odd = z * Polynomial(w, kLog1, kLog3, kLog5, kLog7);
  const double r = odd + even;
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const double half_square = 0.5 * f * f;
    if (k == 0) return f - (half_square - s * (half_square + r));
    return power * kLn2High - ((half_square - (s * (half_square + r) + power * kLn2Low)) - f);
  }
  if (k == 0) return f - s * (f - r);
  return power * kLn2High - ((s * (f - r) - power * kLn2Low) - f);
}

double StrictLog10(double x) {
  if (const auto special = LogOfSpecial(x)) return *special;
  int k = MakeNormal(x);
  k += (HighWord(x) >> 20) - 1023;
  const int below = k < 0 ? 1 : 0;
  const double power = k + below;
  x = WithHighWord(x, (HighWord(x) & 0x000fffff) | ((0x3ff - below) << 20));
  const double z = power * 3.69423907715893078616e-13 + 4.34294481903251816668e-01 * StrictLog(x);
  return z + power * 3.01029995663611771306e-01;
}

double StrictLog1p(double x) {
  if (x == -1) return -kDoubleInfinity;
  if (x < -1) return kDoubleNaN;
  if (!std::isfinite(x)) return x;
  const int32_t high = HighWord(x);
  if (HighMagnitude(x) < 0x3e200000) return HighMagnitude(x) < 0x3c900000 ? x : x - x * x * 0.5;
  int k = 0;
  int32_t fraction = 1;
  double f = x;
  double correction = 0;
  // Outside of sqrt(2)/2 - 1 and sqrt(2) - 1.
  if (high >= 0x3fda827a || (high < 0 && high > static_cast<int32_t>(0xbfd2bec3))) {
    double u = x;
    if (high < 0x43400000) {
      u = 1 + x;
      k = (HighWord(u) >> 20) - 1023;
      correction = (k > 0 ? 1 - (u - x) : x - (u - 1)) / u;
    } else {
      k = (high >> 20) - 1023;
    }
    fraction = HighWord(u) & 0x000fffff;
    if (fraction < 0x6a09e) {
      u = WithHighWord(u, fraction | kHighOfOne);
    } else {
      k += 1;
      u = WithHighWord(u, fraction | 0x3fe00000);
      fraction = (0x00100000 - fraction) >> 2;
    }
    f = u - 1;
  }
  const double power = k;
  const double half_square = 0.5 * f * f;
  if (fraction == 0) {
    if (f == 0) return k == 0 ? 0 : power * kLn2High + (correction + power * kLn2Low);
    const double r = half_square * (1 - 0.66666666666666666 * f);
    if (k == 0) return f - r;
    return power * kLn2High - ((r - (power * kLn2Low + correction)) - f);
  }
  const double s = f / (2 + f);
  const double z = s * s;
  const double r = z * Polynomial(z, kLog1, kLog2, kLog3, kLog4, kLog5, kLog6, kLog7);
  if (k == 0) return f - (half_square - s * (half_square + r));
  return power * kLn2High -
         ((half_square - (s * (half_square + r) + (power * kLn2Low + correction))) - f);
}

double StrictAsinh(double x) {
  const double magnitude = std::abs(x);
  if (!std::isfinite(x) || magnitude < 0x1p-28) return x;
  double result = 0;
  if (magnitude > 0x1p28) {
    result = StrictLog(magnitude) + kLn2;
  } else if (magnitude > 2) {
    result = StrictLog(2 * magnitude + 1 / (std::sqrt(x * x + 1) + magnitude));
  } else {
    const double square = x * x;
    result = StrictLog1p(magnitude + square / (1 + std::sqrt(1 + square)));
  }
  return std::copysign(result, x);
}

double StrictAcosh(double x) {
  if (!(x >= 1)) return kDoubleNaN;
  if (x >= 0x1p28) return StrictLog(x) + kLn2;
  if (x > 2) return StrictLog(2 * x - 1 / (x + std::sqrt(x * x - 1)));
  const double t = x - 1;
  return StrictLog1p(t + std::sqrt(2 * t + t * t));
}

double StrictAtanh(double x) { return 0.5 * (StrictLog1p(x) - StrictLog1p(-x)); }

}  // namespace merganser::engine
