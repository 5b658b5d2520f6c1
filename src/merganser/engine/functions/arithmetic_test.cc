#include <gtest/gtest.h>

#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

TEST(DecimalMathTest, ProductsAndQuotientsOf256Bits) {
  const Int128 large = PowerOfTen(38) - 1;
  const UInt256 square = UInt256::Product(static_cast<UInt128>(large), static_cast<UInt128>(large));
  UInt128 remainder = 1;
  const UInt256 quotient = square.DivideBy(static_cast<UInt128>(large), &remainder);
  EXPECT_EQ(quotient.high, 0U);
  EXPECT_TRUE(quotient.low == static_cast<UInt128>(large));
  EXPECT_TRUE(remainder == 0);
}

TEST(DecimalMathTest, RescaleRoundsHalfUp) {
  EXPECT_TRUE(Rescale(125, 2, 1, 5) == Int128{13});
  EXPECT_TRUE(Rescale(-125, 2, 1, 5) == Int128{-13});
  EXPECT_TRUE(Rescale(124, 2, 1, 5) == Int128{12});
  EXPECT_FALSE(Rescale(99999, 0, 1, 5).has_value());
}

TEST(DecimalMathTest, ReadsBigDecimals) {
  EXPECT_EQ(ToPlainString(*ParseBigDecimal("1.50E3")), "1500");
  EXPECT_EQ(ToPlainString(*ParseBigDecimal("-.05")), "-0.05");
  EXPECT_FALSE(ParseBigDecimal("1e").has_value());
  EXPECT_FALSE(ParseBigDecimal("").has_value());
  EXPECT_FALSE(ParseBigDecimal("1.2.3").has_value());
}

TEST(ArithmeticTest, WholeNumbers) {
  ExpectAll({
      {"mg_add(127::TINYINT, 1::TINYINT, 'ansi')", "!BINARY_ARITHMETIC_OVERFLOW"},
      {"mg_add(127::TINYINT, 1::TINYINT, 'legacy')", "-128"},
      {"mg_add(127::TINYINT, 1::TINYINT, 'try')", "NULL"},
      {"mg_add(2147483647::INTEGER, 1::INTEGER, 'ansi')", "!ARITHMETIC_OVERFLOW"},
      {"mg_multiply(9223372036854775807::BIGINT, 2::BIGINT, 'legacy')", "-2"},
      {"mg_subtract(0::INTEGER, x, 'ansi') FROM (VALUES (7::INTEGER), (NULL)) t(x)", "-7 | NULL"},
      {"mg_remainder(7::INTEGER, 0::INTEGER, 'ansi')", "!REMAINDER_BY_ZERO"},
      {"mg_remainder(7::INTEGER, 0::INTEGER, 'try')", "NULL"},
      {"mg_remainder((-2147483648)::INTEGER, (-1)::INTEGER, 'ansi')", "0"},
      {"mg_pmod((-7)::INTEGER, 3::INTEGER, 'ansi')", "2"},
      {"mg_divide(1::DOUBLE, 0::DOUBLE, 'ansi')", "!DIVIDE_BY_ZERO"},
      {"mg_divide(NULL::DOUBLE, 0::DOUBLE, 'ansi')", "NULL"},
      {"mg_divide_integral((-7)::BIGINT, 2::BIGINT, 'ansi')", "-3"},
      {"mg_divide_integral((-9223372036854775807 - 1)::BIGINT, (-1)::BIGINT, 'ansi')",
       "!ARITHMETIC_OVERFLOW"},
      {"mg_negative((-9223372036854775807 - 1)::BIGINT, 'ansi')", "!ARITHMETIC_OVERFLOW"},
      {"mg_abs((-128)::TINYINT, 'legacy')", "-128"},
      {"mg_abs((-1.5)::DECIMAL(2,1), 'ansi')", "1.5"},
      {"mg_remainder(-7.25::DOUBLE, 7::DOUBLE, 'ansi')", "-0.25"},
      {"mg_sum_to_long(9223372036854775808::HUGEINT, 'ansi')", "!ARITHMETIC_OVERFLOW"},
  });
}

TEST(ArithmeticTest, Decimals) {
  ExpectAll({
      {"mg_decimal_add(1.25::DECIMAL(5,2), 7::DECIMAL(1,0), 6, 2, 'ansi')", "8.25"},
      {"mg_decimal_subtract(7::DECIMAL(1,0), 3.0000000007::DECIMAL(38,10), 38, 9, 'ansi')",
       "3.999999999"},
      {"mg_decimal_multiply(3.0000000007::DECIMAL(38,10), (-3)::DECIMAL(1,0), 38, 8, 'ansi')",
       "-9.00000000"},
      {"mg_decimal_multiply(9e37::DECIMAL(38,0), 10::DECIMAL(2,0), 38, 0, 'ansi')",
       "!NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
      {"mg_decimal_multiply(9e37::DECIMAL(38,0), 10::DECIMAL(2,0), 38, 0, 'legacy')", "NULL"},
      {"mg_decimal_divide((-3)::DECIMAL(1,0), 3.0000000007::DECIMAL(38,10), 38, 27, 'ansi')",
       "-0.999999999766666666721111111"},
      {"mg_decimal_divide(98765432109876543210::DECIMAL(20,0), (-9)::DECIMAL(1,0), 26, 6, 'ansi')",
       "-10973936901097393690.000000"},
      {"mg_decimal_divide(1::DECIMAL(1,0), 0::DECIMAL(1,0), 8, 6, 'ansi')", "!DIVIDE_BY_ZERO"},
      {"mg_decimal_remainder((-9)::DECIMAL(1,0), 3.0000000007::DECIMAL(38,10), 11, 10, 'ansi')",
       "-2.9999999986"},
      {"mg_decimal_pmod((-7)::DECIMAL(1,0), 3::DECIMAL(1,0), 1, 0, 'ansi')", "2"},
      {"mg_decimal_divide_integral(98765432109876543210::DECIMAL(20,0), 7::DECIMAL(1,0), 'ansi')",
       "-4337396629441474015"},
      {"mg_decimal_round(2.5::DECIMAL(2,1), 0, 2, 0, 'ansi')", "3"},
      {"mg_decimal_bround(2.5::DECIMAL(2,1), 0, 2, 0, 'ansi')", "2"},
      {"mg_decimal_ceil(3.1411::DECIMAL(5,4), -3, 4, 0, 'ansi')", "1000"},
      {"mg_decimal_floor((-1.2)::DECIMAL(2,1), 0, 2, 0, 'ansi')", "-2"},
      {"mg_decimal_avg(2.75::DECIMAL(38,2), 4, 14, 6, 'ansi')", "0.687500"},
      {"mg_decimal_check(123.45::DECIMAL(38,2), 4, 2, 'ansi')", "!ARITHMETIC_OVERFLOW"},
  });
}

TEST(ArithmeticTest, RoundingOfNumbers) {
  ExpectAll({
      {"mg_round(2.5::DOUBLE, 0, 'ansi')", "3.0"},
      {"mg_bround(2.5::DOUBLE, 0, 'ansi')", "2.0"},
      {"mg_round(2.675::DOUBLE, 2, 'ansi')", "2.68"},
      {"mg_round(125::INTEGER, -1, 'ansi')", "130"},
      {"mg_round(127::TINYINT, -1, 'ansi')", "!ARITHMETIC_OVERFLOW"},
      {"mg_ceil_long(1.2::DOUBLE)", "2"},
      {"mg_floor_long('NaN'::DOUBLE)", "0"},
  });
}

TEST(ArithmeticTest, Intervals) {
  ExpectAll({
      {"mg_interval_add(2147483647::INTEGER, 1::INTEGER, 'ansi')",
       "!INTERVAL_ARITHMETIC_OVERFLOW.WITH_SUGGESTION"},
      {"mg_interval_divide(259200000000::BIGINT, 2::INTEGER, 'ansi')", "129600000000"},
      {"mg_interval_divide(5::INTEGER, 2::INTEGER, 'ansi')", "3"},
      {"mg_interval_multiply(14::INTEGER, 1.5::DECIMAL(2,1), 'ansi')", "21"},
      {"mg_interval_divide(14::INTEGER, 0::INTEGER, 'ansi')", "!INTERVAL_DIVIDED_BY_ZERO"},
  });
}

TEST(ArithmeticTest, FunctionsOfDoubles) {
  ExpectAll({
      {"mg_ln(0::DOUBLE)", "NULL"},
      {"mg_sqrt((-1)::DOUBLE)", "nan"},
      {"mg_acos(2::DOUBLE)", "nan"},
      {"mg_log(2::DOUBLE, 8::DOUBLE)", "3.0"},
      {"mg_width_bucket(8.1::DOUBLE, 0::DOUBLE, 5.7::DOUBLE, 4)", "5"},
      {"mg_factorial(5)", "120"},
      {"mg_factorial(21)", "NULL"},
  });
}

TEST(ArithmeticTest, BitsAndBases) {
  ExpectAll({
      {"mg_shiftrightunsigned((-16)::INTEGER, 28)", "15"},
      {"mg_shiftleft(1::BIGINT, 65)", "2"},
      {"mg_bit_count((-1)::INTEGER)", "64"},
      {"mg_getbit(11::INTEGER, 2)", "0"},
      {"mg_getbit(11::INTEGER, 32)", "!INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE"},
      {"mg_bin(-13)", "1111111111111111111111111111111111111111111111111111111111110011"},
      {"mg_hex('Spark SQL')", "537061726B2053514C"},
      {"mg_unhex('414')", "\\x04\\x14"},
      {"mg_unhex('x')", "NULL"},
      {"mg_conv('-10', 16, -10, 'ansi')", "-16"},
      {"mg_conv('ffffffffffffffffff', 16, 10, 'legacy')", "18446744073709551615"},
      {"mg_conv('ffffffffffffffffff', 16, 10, 'ansi')", "!ARITHMETIC_OVERFLOW"},
  });
}

}  // namespace
}  // namespace merganser::engine
