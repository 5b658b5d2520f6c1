// Inverse trigonometric functions, cube root and hypotenuse.
#include <algorithm>
#include <array>
#include <cmath>

#include "merganser/engine/functions/double_words.h"
#include "merganser/engine/functions/strict_math.h"

namespace merganser::engine {
namespace {

constexpr double kPi = 3.1415926535897931160e+00;
constexpr double kPiLow = 1.2246467991473531772e-16;
constexpr double kHalfPi = 1.57079632679489655800e+00;
constexpr double kHalfPiLow = 6.12323399573676603587e-17;
constexpr double kQuarterPi = 7.85398163397448278999e-01;

/// (asin(x) - x) / x as a function of x^2, up to x = 1/2.
double ArcSineRatio(double square) {
  const double p =
      square * Polynomial(square, 1.66666666666666657415e-01, -3.25565818622400915405e-01,
                          2.01212532134862925881e-01, -4.00555345006794114027e-02,
                          7.91534994289814532176e-04, 3.47933107596021167570e-05);
  const double q = Polynomial(square, 1.0, -2.40339491173441421878e+00, 2.02094576023350569471e+00,
                              -6.88283971605453293030e-01, 7.70381505559019352791e-02);
  return p / q;
}

}  // namespace

double StrictAsin(double x) {
  const double magnitude = std::abs(x);
  if (magnitude == 1) return x * kHalfPi + x * kHalfPiLow;
  if (!(magnitude < 1)) return kDoubleNaN;
  if (magnitude < 0.5) {
    if (HighMagnitude(x) < 0x3e400000) return x;
    return x + x * ArcSineRatio(x * x);
  }
  const double t = (1 - magnitude) * 0.5;
  const double ratio = ArcSineRatio(t);
  const double root = std::sqrt(t);
  double result = 0;
  if (HighMagnitude(x) >= 0x3fef3333) {
    result = kHalfPi - (2 * (root + root * ratio) - kHalfPiLow);
  } else {
    const double root_high = Leading(root);
    const double c = (t - root_high * root_high) / (root + root_high);
    const double p = 2 * root * ratio - (kHalfPiLow - 2 * c);
    const double q = kQuarterPi - 2 * root_high;
    result = kQuarterPi - (p - q);
  }
  return x > 0 ? result : -result;
}

double StrictAcos(double x) {
  if (x == 1) return 0;
  if (x == -1) return kPi + 2 * kHalfPiLow;
  if (!(std::abs(x) < 1)) return kDoubleNaN;
  if (std::abs(x) < 0.5) {
    if (HighMagnitude(x) <= 0x3c600000) return kHalfPi + kHalfPiLow;
    return kHalfPi - (x - (kHalfPiLow - x * ArcSineRatio(x * x)));
  }
  if (x < 0) {
    const double z = (1 + x) * 0.5;
    const double root = std::sqrt(z);
    return kPi - 2 * (root + (ArcSineRatio(z) * root - kHalfPiLow));
  }
  const double z = (1 - x) * 0.5;
  const double root = std::sqrt(z);
  const double root_high = Leading(root);
  const double c = (z - root_high * root_high) / (root + root_high);
  return 2 * (root_high + (ArcSineRatio(z) * root + c));
}

double StrictAtan(double x) {
  // atan of 1/2, 1, 3/2 and infinity, high and low parts.
  constexpr std::array<double, 4> kHigh{4.63647609000806093515e-01, kQuarterPi,
                                        9.82793723247329054082e-01, kHalfPi};
  constexpr std::array<double, 4> kLow{2.26987774529616870924e-17, 3.06161699786838301793e-17,
                                       1.39033110312309984516e-17, kHalfPiLow};
  if (std::isnan(x)) return x;
  if (HighMagnitude(x) >= 0x44100000) return x > 0 ? kHalfPi + kHalfPiLow : -kHalfPi - kHalfPiLow;
  const bool negative = std::signbit(x);
  int point = -1;
  if (HighMagnitude(x) < 0x3fdc0000) {
    if (HighMagnitude(x) < 0x3e200000) return x;
  } else {
    x = std::abs(x);
    if (HighMagnitude(x) < 0x3fe60000) {
      point = 0;
      x = (2 * x - 1) / (2 + x);
    } else if (HighMagnitude(x) < 0x3ff30000) {
      point = 1;
      x = (x - 1) / (x + 1);
    } else if (HighMagnitude(x) < 0x40038000) {
      point = 2;
      x = (x - 1.5) / (1 + 1.5 * x);
    } else {
      point = 3;
      x = -1 / x;
    }
  }
  const double z = x * x;
  const double w = z * z;
  const double odd = z * Polynomial(w, 3.33333333333329318027e-01, 1.42857142725034663711e-01,
                                    9.09088713343650656196e-02, 6.66107313738753120669e-02,
                                    4.97687799461593236017e-02, 1.62858201153657823623e-02);
  const double even = w * Polynomial(w, -1.99999999998764832476e-01, -1.11111104054623557880e-01,
                                     -7.69187620504482999495e-02, -5.83357013379057348645e-02,
                                     -3.65315727442169155270e-02);
  if (point < 0) return x - x * (odd + even);
  const auto index = static_cast<size_t>(point);
  const double result = kHigh[index] - ((x * (odd + even) - kLow[index]) - x);
  return negative ? -result : result;
}

double StrictAtan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return kDoubleNaN;
  if (x == 1) return StrictAtan(y);
  const auto with_sign_of_y = [&](double angle) { return std::copysign(angle, y); };
  if (y == 0) return std::signbit(x) ? with_sign_of_y(kPi) : y;
  if (x == 0) return with_sign_of_y(kHalfPi);
  if (std::isinf(x)) {
    if (std::isinf(y)) return with_sign_of_y(x > 0 ? kQuarterPi : 3 * kQuarterPi);
    return with_sign_of_y(x > 0 ? 0 : kPi);
  }
  if (std::isinf(y)) return with_sign_of_y(kHalfPi);
  const int distance = (HighMagnitude(y) - HighMagnitude(x)) >> 20;
  double z = 0;
  if (distance > 60) {
    z = kHalfPi + 0.5 * kPiLow;
  } else if (x > 0 || distance >= -60) {
    z = StrictAtan(std::abs(y / x));
  }
  if (x > 0) return y > 0 ? z : -z;
  return y > 0 ? kPi - (z - kPiLow) : (z - kPiLow) - kPi;
}

double StrictCbrt(double x) {
  if (!std::isfinite(x) || x == 0) return x;
  const double magnitude = std::abs(x);
  // A third of the exponent gives five bits.
  double t = 0;
  if (HighMagnitude(x) < 0x00100000) {
    t = magnitude * 0x1p54;
    t = FromWords(HighWord(t) / 3 + 696219795, LowWord(t));
  } else {
    t = FromWords(HighMagnitude(x) / 3 + 715094163, 0);
  }
  const double r = t * t / magnitude;
  const double s = 5.42857142857142815906e-01 + r * t;  // 19/35
  t *= 3.57142857142857150787e-01 + 1.60714285714285720630e+00 / (s + 1.41428571428571436819e+00 +
                                                                  -7.05306122448979611050e-01 / s);
  // Twenty bits, rounded up so that the next step's error has one sign.
  t = FromWords(HighWord(t) + 1, 0);
  const double quotient = magnitude / (t * t);
  t += t * ((quotient - t) / (t + t + quotient));
  return std::copysign(t, x);
}

double StrictHypot(double x, double y) {
  double a = std::abs(x);
  double b = std::abs(y);
  if (std::isinf(a) || std::isinf(b)) return kDoubleInfinity;
  if (std::isnan(a) || std::isnan(b)) return kDoubleNaN;
  if (HighMagnitude(b) > HighMagnitude(a)) std::swap(a, b);
  if (HighMagnitude(a) - HighMagnitude(b) > 0x3c00000) return a + b;
  int k = 0;
  if (HighMagnitude(a) > 0x5f300000) {  // 2^500
    a = AddExponent(a, -600);
    b = AddExponent(b, -600);
    k = 600;
  }
  if (HighMagnitude(b) < 0x20b00000) {  // 2^-500
    if (HighMagnitude(b) <= 0x000fffff) {
      if (b == 0) return a;
      a *= 0x1p1022;
      b *= 0x1p1022;
      k -= 1022;
    } else {
      a = AddExponent(a, 600);
      b = AddExponent(b, 600);
      k -= 600;
    }
  }
  double w = a - b;
  if (w > b) {
    const double high = Leading(a);
    const double low = a - high;
    w = std::sqrt(high * high - (b * (-b) - low * (a + high)));
  } else {
    const double twice = a + a;
    const double b_high = Leading(b);
    const double b_low = b - b_high;
    const double high = FromWords(HighMagnitude(a) + 0x00100000, 0);
    const double low = twice - high;
    w = std::sqrt(high * b_high - (w * (-w) - (high * b_low + low * b)));
  }
  return k == 0 ? w : PowerOfTwo(k) * w;
}

}  // namespace merganser::engine
