#include "merganser/base/checked_math.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace merganser {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(CheckedMathTest, GivesExactResultsOrNothing) {
  EXPECT_EQ(CheckedAdd<int64_t>(1, 2), 3);
  EXPECT_FALSE(CheckedAdd(kMax, int64_t{1}).has_value());
  EXPECT_EQ(CheckedSubtract<int64_t>(1, 2), -1);
  EXPECT_FALSE(CheckedSubtract(kMin, int64_t{1}).has_value());
  EXPECT_EQ(CheckedMultiply<int64_t>(-3, 4), -12);
  EXPECT_FALSE(CheckedMultiply(kMin, int64_t{-1}).has_value());
}

TEST(CheckedMathTest, CastsOnlyWhatFits) {
  EXPECT_EQ(CheckedCast<int32_t>(int64_t{-5}), -5);
  EXPECT_FALSE(CheckedCast<int32_t>(int64_t{1} << 31).has_value());
  EXPECT_FALSE(CheckedCast<uint32_t>(int64_t{-1}).has_value());
  EXPECT_FALSE(CheckedCast<int64_t>(std::numeric_limits<uint64_t>::max()).has_value());
}

TEST(CheckedMathTest, SaturatesAtTheEnds) {
  EXPECT_EQ(SaturatingAdd(kMax, int64_t{1}), kMax);
  EXPECT_EQ(SaturatingAdd(kMin, int64_t{-1}), kMin);
  EXPECT_EQ(SaturatingAdd<int64_t>(2, 3), 5);
}

}  // namespace
}  // namespace merganser
