#include "merganser/engine/functions/strict_math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace merganser::engine {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Mixes the bits of results, so that a thousand of them are compared by one number.
template <typename F>
uint64_t Fingerprint(double first, double step, F f) {
  uint64_t hash = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto bits = std::bit_cast<uint64_t>(f(first + (i * step)));
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

// The numbers are what Java's StrictMath gives for the same thousand arguments.
TEST(StrictMathTest, AThousandResultsEach) {
  EXPECT_EQ(Fingerprint(-700.0, 1.37, &StrictExp), 0xf1436e7927725a75U);
  EXPECT_EQ(Fingerprint(-40.0, 0.079, &StrictExpm1), 0x318c60be9e0a00b5U);
  EXPECT_EQ(Fingerprint(0.003, 0.17, &StrictLog), 0xc810c8a5faf8c37bU);
  EXPECT_EQ(Fingerprint(0.003, 17.3, &StrictLog10), 0xa8ed664d1758e2ceU);
  EXPECT_EQ(Fingerprint(-0.999, 0.0123, &StrictLog1p), 0x06f4a4f5db3dff9bU);
  EXPECT_EQ(Fingerprint(-30.0, 0.061, &StrictSinh), 0xb51682e9389ac033U);
  EXPECT_EQ(Fingerprint(-30.0, 0.061, &StrictCosh), 0x29a6a3ab3c34298bU);
  EXPECT_EQ(Fingerprint(-2.0, 0.0041, &StrictTanh), 0xc97045d9dcf26840U);
  EXPECT_EQ(Fingerprint(-1.0, 0.002, &StrictAsin), 0x6847c796fba6bf08U);
  EXPECT_EQ(Fingerprint(-1.0, 0.002, &StrictAcos), 0xbe1792ac4ff50c32U);
  EXPECT_EQ(Fingerprint(-5.0, 0.0101, &StrictAtan), 0xb0dd3abc2d6d2b85U);
  EXPECT_EQ(Fingerprint(-100.0, 0.2003, &StrictCbrt), 0x68f1b1b150bd18d3U);
  EXPECT_EQ(Fingerprint(0.01, 0.73, [](double x) { return StrictPow(x, 1.7); }),
            0xaa606ff1ece88ba7U);
  EXPECT_EQ(Fingerprint(-300.0, 0.61, [](double x) { return StrictPow(2.3, x); }),
            0x6520366f2ab0a05dU);
  EXPECT_EQ(Fingerprint(-50.0, 0.101, [](double x) { return StrictHypot(x, 3.1); }),
            0xe230a9ce808cc2d0U);
  EXPECT_EQ(Fingerprint(-50.0, 0.101, [](double x) { return StrictAtan2(x, -3.1); }),
            0xe64105364d70e1c8U);
}

TEST(StrictMathTest, TheLastBitIsJavas) {
  EXPECT_EQ(StrictExp(1), 2.7182818284590455);
  EXPECT_EQ(StrictLog(0.5884208733071723), -0.53031281619478654);
  EXPECT_EQ(StrictPow(662.73549055589797, -17), 1.0894721112019998e-48);
  EXPECT_EQ(StrictHypot(17.327758710175267, 0.08070060351259345), 17.327946632693155);
}

TEST(StrictMathTest, EdgesOfTheDoubles) {
  EXPECT_EQ(StrictExp(710), kInfinite);
  EXPECT_EQ(StrictExp(-746), 0);
  EXPECT_EQ(StrictExpm1(-1000), -1);
  EXPECT_EQ(StrictLog(5e-324), -744.4400719213812);
  EXPECT_EQ(StrictLog(0), -kInfinite);
  EXPECT_TRUE(std::isnan(StrictLog10(-1)));
  EXPECT_EQ(StrictCosh(-711), kInfinite);
  EXPECT_EQ(StrictTanh(-30), -1);
  EXPECT_TRUE(std::isnan(StrictAsin(1.5)));
  EXPECT_EQ(StrictHypot(1e308, 1e-308), 1e308);
  EXPECT_EQ(StrictAtan2(-0.0, -1), -M_PI);
  EXPECT_TRUE(std::signbit(StrictCbrt(-0.0)));
}

TEST(StrictMathTest, PowersOfSpecialNumbers) {
  EXPECT_TRUE(std::isnan(StrictPow(1, kInfinite)));
  EXPECT_TRUE(std::isnan(StrictPow(-2, 0.3)));
  EXPECT_EQ(StrictPow(std::numeric_limits<double>::quiet_NaN(), 0), 1);
  EXPECT_EQ(StrictPow(-0.0, -3), -kInfinite);
  EXPECT_EQ(StrictPow(-kInfinite, 3), -kInfinite);
  EXPECT_EQ(StrictPow(0.5, -kInfinite), kInfinite);
  EXPECT_EQ(StrictPow(2, 1024), kInfinite);
  EXPECT_EQ(StrictPow(2, -1074), 5e-324);
  EXPECT_EQ(StrictPow(-1, 3), -1);
}

}  // namespace
}  // namespace merganser::engine
