#include "merganser/delta/schema/scalar.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

Scalar Dec(int precision, int scale, Int128 value) {
  return Scalar::Decimal(DataType::Decimal(precision, scale), value);
}

TEST(ScalarTest, NumbersCompareByValueAcrossTypes) {
  EXPECT_EQ(Compare(Scalar::Integer(3), Scalar::Long(3)), std::partial_ordering::equivalent);
  EXPECT_EQ(Compare(Dec(5, 2, 150), Dec(5, 1, 15)), std::partial_ordering::equivalent);
  EXPECT_EQ(Compare(Scalar::Long(2), Dec(5, 2, 150)), std::partial_ordering::greater);
  EXPECT_EQ(Compare(Scalar::Long(INT64_MIN), Dec(38, 38, 1)), std::partial_ordering::less);
  EXPECT_EQ(Compare(Scalar::Double(0.5), Scalar::Integer(1)), std::partial_ordering::less);
}

TEST(ScalarTest, NanIsAboveEverythingAndZerosAreEqual) {
  const Scalar nan = Scalar::Double(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(Compare(nan, nan), std::partial_ordering::equivalent);
  EXPECT_EQ(Compare(nan, Scalar::Double(std::numeric_limits<double>::infinity())),
            std::partial_ordering::greater);
  EXPECT_EQ(Compare(Scalar::Double(-0.0), Scalar::Double(0.0)), std::partial_ordering::equivalent);
}

TEST(ScalarTest, StringsCompareByUnsignedBytes) {
  EXPECT_EQ(Compare(Scalar::String("z"), Scalar::String("\xC3\xA9")), std::partial_ordering::less);
  EXPECT_EQ(Compare(Scalar::String("a"), Scalar::String("ab")), std::partial_ordering::less);
}

TEST(ScalarTest, SomeThingsDoNotCompare) {
  EXPECT_EQ(Compare(Scalar::Null(), Scalar::Long(1)), std::partial_ordering::unordered);
  EXPECT_EQ(Compare(Scalar::Date(1), Scalar::Timestamp(1)), std::partial_ordering::unordered);
  EXPECT_EQ(Compare(Scalar::String("1"), Scalar::Long(1)), std::partial_ordering::unordered);
}

TEST(ScalarTest, DecimalText) {
  EXPECT_EQ(FormatDecimal(12345, 2), "123.45");
  EXPECT_EQ(FormatDecimal(-5, 3), "-0.005");
  EXPECT_EQ(FormatDecimal(0, 0), "0");
  Int128 value = 0;
  EXPECT_TRUE(ParseDecimal("1.5E2", 5, 1, &value));
  EXPECT_EQ(value, Int128{1500});
  EXPECT_TRUE(ParseDecimal("0E-18", 5, 1, &value));
  EXPECT_EQ(value, Int128{0});
  EXPECT_TRUE(ParseDecimal("-99999999999999999999999999999999999999", 38, 0, &value));
  EXPECT_FALSE(ParseDecimal("999999999999999999999999999999999999999", 38, 0, &value));
  EXPECT_FALSE(ParseDecimal("1.05", 5, 1, &value));
  EXPECT_FALSE(ParseDecimal("", 5, 1, &value));
  EXPECT_FALSE(ParseDecimal("1.2.3", 5, 1, &value));
  EXPECT_FALSE(ParseDecimal("1e99999999999", 5, 1, &value));
}

TEST(CalendarTextTest, DatesFarAndNear) {
  EXPECT_EQ(FormatDate(0), "1970-01-01");
  EXPECT_EQ(FormatDate(-719162), "0001-01-01");
  EXPECT_EQ(FormatDate(2932897), "+10000-01-01");
  EXPECT_EQ(ParseDate("0001-01-01"), -719162);
  EXPECT_EQ(ParseDate("2024-2-9"), ParseDate("2024-02-09"));
  EXPECT_EQ(ParseDate("+10000-01-01"), 2932897);
  EXPECT_EQ(ParseDate("2024-13-01"), std::nullopt);
  EXPECT_EQ(ParseDate("2024-01-01x"), std::nullopt);
}

TEST(CalendarTextTest, Timestamps) {
  EXPECT_EQ(FormatTimestamp(-1, ' ', FractionDigits::kMicros), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(FormatTimestamp(-1, 'T', FractionDigits::kMillis), "1969-12-31T23:59:59.999");
  EXPECT_EQ(FormatTimestamp(1'500'000, ' ', FractionDigits::kShortest), "1970-01-01 00:00:01.5");
  EXPECT_EQ(ParseTimestamp("1969-12-31T23:59:59.9999999")->local_micros, -1);
  EXPECT_EQ(ParseTimestamp("2024-01-01")->offset_seconds, std::nullopt);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00-08:00")->instant(), 8 * 3'600'000'000LL);
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00.Z"), std::nullopt);
  EXPECT_EQ(ParseTimestamp("1970-01-01 25:00:00"), std::nullopt);
}

}  // namespace
}  // namespace merganser
