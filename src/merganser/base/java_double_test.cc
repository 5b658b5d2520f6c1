#include "merganser/base/java_double.h"

#include <limits>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(JavaDoubleTest, WritesAsJavaDoes) {
  EXPECT_EQ(JavaToString(0.0), "0.0");
  EXPECT_EQ(JavaToString(-0.0), "-0.0");
  EXPECT_EQ(JavaToString(1.0), "1.0");
  EXPECT_EQ(JavaToString(-12.5), "-12.5");
  EXPECT_EQ(JavaToString(100.0), "100.0");
  EXPECT_EQ(JavaToString(0.1), "0.1");
  EXPECT_EQ(JavaToString(0.001), "0.001");
  EXPECT_EQ(JavaToString(0.00099), "9.9E-4");
  EXPECT_EQ(JavaToString(9999999.0), "9999999.0");
  EXPECT_EQ(JavaToString(10000000.0), "1.0E7");
  EXPECT_EQ(JavaToString(1234567.875), "1234567.875");
  EXPECT_EQ(JavaToString(1.5e300), "1.5E300");
  EXPECT_EQ(JavaToString(std::numeric_limits<double>::max()), "1.7976931348623157E308");
  EXPECT_EQ(JavaToString(std::numeric_limits<double>::min()), "2.2250738585072014E-308");
  EXPECT_EQ(JavaToString(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(JavaToString(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(JavaToString(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(JavaDoubleTest, SmallestDoubleHasTwoDigits) {
  EXPECT_EQ(JavaToString(std::numeric_limits<double>::denorm_min()), "4.9E-324");
  EXPECT_EQ(JavaToString(std::numeric_limits<float>::denorm_min()), "1.4E-45");
}

TEST(JavaDoubleTest, FloatsHaveTheirOwnShortestDigits) {
  EXPECT_EQ(JavaToString(0.1f), "0.1");
  EXPECT_EQ(JavaToString(3.4028235e38f), "3.4028235E38");
  EXPECT_EQ(JavaToString(16777216.0f), "1.6777216E7");
}

}  // namespace
}  // namespace merganser
