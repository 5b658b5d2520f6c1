#include <gtest/gtest.h>

#include "merganser/spark/functions/expression_for_test.h"

namespace merganser {
namespace {

BoundExpressionPtr DateOf(int64_t days) { return IntegerOf(days, DataType::Date()); }
BoundExpressionPtr DaysOf(int64_t days) {
  return IntegerOf(days * 86'400'000'000, DataType::DayTimeInterval(0, 0));
}

TEST(ArithmeticTest, TypesFollowTheOperands) {
  EXPECT_EQ(TypeOfCall("+", {IntegerOf(1, DataType::Byte()), IntegerOf(1, DataType::Short())}),
            "smallint");
  EXPECT_EQ(TypeOfCall("/", {IntegerOf(1), IntegerOf(2)}), "double");
  EXPECT_EQ(TypeOfCall("div", {IntegerOf(1), IntegerOf(2)}), "bigint");
  EXPECT_EQ(TypeOfCall("+", {IntegerOf(7), DecimalOf(125, 5, 2)}), "decimal(6,2)");
  EXPECT_EQ(TypeOfCall("+", {ColumnOf("a", DataType::Integer()), DecimalOf(125, 5, 2)}),
            "decimal(13,2)");
  EXPECT_EQ(TypeOfCall("*", {DecimalOf(125, 5, 2), DoubleOf(2)}), "double");
  EXPECT_EQ(TypeOfCall("%", {IntegerOf(7), DecimalOf(18, 2, 1)}), "decimal(2,1)");
}

TEST(ArithmeticTest, StringsBecomeNumbersBesideNumbers) {
  EXPECT_EQ(TypeOfCall("+", {TextOf("1"), IntegerOf(1)}), "bigint");
  EXPECT_EQ(TypeOfCall("+", {TextOf("1"), DoubleOf(1)}), "double");
  EXPECT_EQ(TypeOfCall("+", {TextOf("1"), TextOf("2")}), "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE");
  EXPECT_EQ(TypeOfCall("+", {TextOf("1"), TextOf("2")}, false), "double");
}

TEST(ArithmeticTest, NullsTakeTheOtherType) {
  EXPECT_EQ(TypeOfCall("+", {NullOf(), NullOf()}), "double");
  EXPECT_EQ(TypeOfCall("div", {NullOf(), NullOf()}), "bigint");
  EXPECT_EQ(TypeOfCall("&", {NullOf(), NullOf()}), "int");
  EXPECT_EQ(TypeOfCall("-", {NullOf(), DateOf(1)}), "interval day");
  EXPECT_EQ(TypeOfCall("+", {DateOf(1), NullOf()}), "timestamp");
}

TEST(ArithmeticTest, ErrorsNameTheOperands) {
  const auto different = CallOf("div", {IntegerOf(0, DataType::Byte()), DoubleOf(0)}, true, true);
  ASSERT_FALSE(different.ok());
  EXPECT_EQ(different.error().full_name(), "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES");
  EXPECT_EQ(different.error().parameters().at("left"), "\"BIGINT\"");
  EXPECT_EQ(different.error().parameters().at("sqlExpr"), "\"(0 div 0.0)\"");
  EXPECT_EQ(TypeOfCall("div", {DoubleOf(0), DoubleOf(0)}),
            "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE");
  EXPECT_EQ(TypeOfCall("+", {IntegerOf(1), MakeBound(plan::Literal{DataType::Boolean(), true},
                                                     DataType::Boolean())}),
            "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES");
}

TEST(ArithmeticTest, DatesAndIntervalsBecomeCallsOfTheirOwn) {
  EXPECT_EQ(NameOfCall("+", {DateOf(19723), IntegerOf(1)}), "date_add(DATE '2024-01-01', 1)");
  EXPECT_EQ(NameOfCall("+", {DateOf(19723), DaysOf(1)}),
            "date_add(DATE '2024-01-01', extractansiintervaldays(INTERVAL '1' DAY))");
  EXPECT_EQ(NameOfCall("-", {DateOf(19723), DateOf(19722)}),
            "(DATE '2024-01-01' - DATE '2023-12-31')");
  EXPECT_EQ(TypeOfCall("-", {DateOf(19723), DateOf(19722)}), "interval day");
  const auto month = IntegerOf(1, DataType::YearMonthInterval(1, 1));
  EXPECT_EQ(NameOfCall("+", {DateOf(19723), month}), "DATE '2024-01-01' + INTERVAL '1' MONTH");
  EXPECT_EQ(
      TypeOfCall("+", {DateOf(19723), IntegerOf(3'600'000'000, DataType::DayTimeInterval(1, 1))}),
      "timestamp");
  EXPECT_EQ(TypeOfCall("*", {IntegerOf(2), month}), "interval year to month");
  EXPECT_EQ(TypeOfCall("+", {DateOf(1), IntegerOf(1, DataType::Long())}),
            "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE");
}

TEST(ArithmeticTest, IntervalsAddWithinTheirKind) {
  const auto hours = IntegerOf(7'200'000'000, DataType::DayTimeInterval(1, 1));
  EXPECT_EQ(TypeOfCall("+", {DaysOf(1), hours}), "interval day to hour");
  EXPECT_EQ(NameOfCall("+", {DaysOf(1), hours}), "(INTERVAL '1' DAY + INTERVAL '02' HOUR)");
}

TEST(ArithmeticTest, TryFormsOfMomentsAreGuarded) {
  const auto call = CallOf("try_add", {DateOf(1), DaysOf(1)});
  ASSERT_TRUE(call.ok());
  EXPECT_EQ((*call)->As<BoundCall>()->function, "try_add");
  ASSERT_NE((*call)->As<BoundCall>()->replacement, nullptr);
  EXPECT_EQ((*call)->As<BoundCall>()->replacement->As<BoundCall>()->function, "try_eval");
}

}  // namespace
}  // namespace merganser
