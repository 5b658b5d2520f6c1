// exp, expm1 and the hyperbolic functions made of them.
#include <cmath>

#include "merganser/engine/functions/double_words.h"
#include "merganser/engine/functions/strict_math.h"

namespace merganser::engine {
namespace {

constexpr double kLargestExponent = 7.09782712893383973096e+02;
constexpr double kSmallestExponent = -7.45133219101941108420e+02;

// Upper words of bounds.
constexpr int32_t kHalfLn2 = 0x3fd62e42;
constexpr int32_t kOneAndHalfLn2 = 0x3ff0a2b2;
constexpr int32_t kTwentyTwo = 0x40360000;
constexpr int32_t kLogOfLargest = 0x40862e42;

/// x = k ln2 + (high - low).
struct Reduced {
  int k;
  double high;
  double low;
};

Reduced ReduceByLn2(double x) {
  const double sign = x < 0 ? -1 : 1;
  if (HighMagnitude(x) < kOneAndHalfLn2)
    return {.k = static_cast<int>(sign), .high = x - sign * kLn2High, .low = sign * kLn2Low};
  const int k = static_cast<int>(kInverseLn2 * x + sign * 0.5);
  return {.k = k, .high = x - k * kLn2High, .low = k * kLn2Low};
}

/// exp(|x|) / 2 where exp(|x|) itself may be too large; infinity where this is.
double HalfExp(double magnitude) {
  if (HighMagnitude(magnitude) < kLogOfLargest) return 0.5 * StrictExp(magnitude);
  const double root = StrictExp(0.5 * magnitude);
  return 0.5 * root * root;
}

}  // namespace

double StrictExp(double x) {
  if (std::isnan(x)) return x;
  if (x > kLargestExponent) return kDoubleInfinity;
  if (x < kSmallestExponent) return 0;
  Reduced reduced{.k = 0, .high = x, .low = 0};
  if (HighMagnitude(x) > kHalfLn2) {
    reduced = ReduceByLn2(x);
    x = reduced.high - reduced.low;
  } else if (HighMagnitude(x) < 0x3e300000) {
    return 1 + x;
  }
  const double c = ExponentialSeries(x);
  if (reduced.k == 0) return 1 - ((x * c) / (c - 2) - x);
  const double y = 1 - ((reduced.low - (x * c) / (2 - c)) - reduced.high);
  if (reduced.k >= -1021) return AddExponent(y, reduced.k);
  return AddExponent(y, reduced.k + 1000) * PowerOfTwo(-1000);
}

double StrictExpm1(double x) {
  if (std::isnan(x)) return x;
  constexpr int32_t kFiftySixLn2 = 0x4043687a;
  if (HighMagnitude(x) >= kFiftySixLn2) {
    if (x > kLargestExponent) return kDoubleInfinity;
    if (x < 0) return -1;
  }
  int k = 0;
  double correction = 0;
  if (HighMagnitude(x) > kHalfLn2) {
    const Reduced reduced = ReduceByLn2(x);
    k = reduced.k;
    x = reduced.high - reduced.low;
    correction = (reduced.high - x) - reduced.low;
  } else if (HighMagnitude(x) < 0x3c900000) {
    return x;
  }
  const double half = 0.5 * x;
  const double half_square = x * half;
  const double r =
      1 + half_square * Polynomial(half_square, -3.33333333333331316428e-02,
                                   1.58730158725481460165e-03, -7.93650757867487942473e-05,
                                   4.00821782732936239552e-06, -2.01099218183624371326e-07);
  const double t = 3 - r * half;
  double e = half_square * ((r - t) / (6 - x * t));
  if (k == 0) return x - (x * e - half_square);
  e = (x * (e - correction) - correction) - half_square;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2 * (e - (x + 0.5)) : 1 + 2 * (x - e);
  if (k <= -2 || k > 56) return AddExponent(1 - (e - x), k) - 1;
  if (k < 20) return AddExponent((1 - PowerOfTwo(-k)) - (e - x), k);
  return AddExponent((x - (e + PowerOfTwo(-k))) + 1, k);
}

double StrictSinh(double x) {
  if (!std::isfinite(x)) return x;
  const double magnitude = std::abs(x);
  const double sign = x < 0 ? -1 : 1;
  if (HighMagnitude(x) >= kTwentyTwo) return sign * HalfExp(magnitude);
  if (HighMagnitude(x) < 0x3e300000) return x;
  const double t = StrictExpm1(magnitude);
  if (HighMagnitude(x) < kHighOfOne) return sign * 0.5 * (2 * t - t * t / (t + 1));
  return sign * 0.5 * (t + t / (t + 1));
}

double StrictCosh(double x) {
  const double magnitude = std::abs(x);
  if (!std::isfinite(x)) return magnitude;
  if (HighMagnitude(x) >= kTwentyTwo) return HalfExp(magnitude);
  if (HighMagnitude(x) <= kHalfLn2) {
    const double t = StrictExpm1(magnitude);
    const double w = 1 + t;
    return HighMagnitude(x) < 0x3c800000 ? w : 1 + (t * t) / (w + w);
  }
  const double t = StrictExp(magnitude);
  return 0.5 * t + 0.5 / t;
}

double StrictTanh(double x) {
  if (std::isnan(x)) return x;
  double z = 1;
  if (HighMagnitude(x) < 0x3c800000) return x * (1 + x);
  if (HighMagnitude(x) < kTwentyTwo) {
    const double magnitude = std::abs(x);
    if (magnitude >= 1) {
      z = 1 - 2 / (StrictExpm1(2 * magnitude) + 2);
    } else {
      const double t = StrictExpm1(-2 * magnitude);
      z = -t / (t + 2);
    }
  }
  return x < 0 ? -z : z;
}

}  // namespace merganser::engine
