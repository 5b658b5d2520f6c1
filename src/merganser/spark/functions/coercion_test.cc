#include "merganser/spark/functions/coercion.h"

#include <gtest/gtest.h>

#include "merganser/spark/functions/expression_for_test.h"
#include "merganser/spark/functions/numeric_types.h"

namespace merganser {
namespace {

std::string Wider(const std::vector<DataType>& types, bool ansi = true) {
  TypingContext context;
  context.ansi = ansi;
  const auto type = FindWiderType(types, context);
  return type ? type->CatalogString() : "none";
}

TEST(CoercionTest, NumbersMeetAtTheWiderOne) {
  EXPECT_EQ(Wider({DataType::Byte(), DataType::Long()}), "bigint");
  EXPECT_EQ(Wider({DataType::Integer(), DataType::Double()}), "double");
  EXPECT_EQ(Wider({DataType::Integer(), DataType::Decimal(2, 1)}), "decimal(11,1)");
  EXPECT_EQ(Wider({DataType::Decimal(38, 0), DataType::Decimal(5, 2)}), "decimal(38,0)");
  EXPECT_EQ(Wider({DataType::Decimal(5, 2), DataType::Float()}), "double");
}

TEST(CoercionTest, AFloatBesideIntegersBecomesADoubleUnderAnsi) {
  EXPECT_EQ(Wider({DataType::Integer(), DataType::Float()}), "double");
  EXPECT_EQ(Wider({DataType::Integer(), DataType::Float()}, false), "float");
}

TEST(CoercionTest, StringsReadAsTheOtherTypeUnderAnsi) {
  EXPECT_EQ(Wider({DataType::String(), DataType::Byte()}), "bigint");
  EXPECT_EQ(Wider({DataType::Decimal(5, 2), DataType::String()}), "double");
  EXPECT_EQ(Wider({DataType::String(), DataType::Date()}), "date");
  EXPECT_EQ(Wider({DataType::String(), DataType::Binary()}), "binary");
  EXPECT_EQ(Wider({DataType::String(), DataType::DayTimeInterval()}), "none");
}

TEST(CoercionTest, StringsWinWithoutAnsi) {
  EXPECT_EQ(Wider({DataType::Integer(), DataType::String()}, false), "string");
  EXPECT_EQ(Wider({DataType::Boolean(), DataType::String()}, false), "none");
}

TEST(CoercionTest, MomentsMeetAtTheTimestamp) {
  EXPECT_EQ(Wider({DataType::Date(), DataType::TimestampNtz()}), "timestamp_ntz");
  EXPECT_EQ(Wider({DataType::TimestampNtz(), DataType::Timestamp()}), "timestamp");
  EXPECT_EQ(Wider({DataType::Date(), DataType::Integer()}), "none");
}

TEST(CoercionTest, NestedTypesMeetPartByPart) {
  EXPECT_EQ(Wider({DataType::Array(DataType::Integer()), DataType::Array(DataType::Long())}),
            "array<bigint>");
  const auto pair = [](DataType type, std::string name) {
    return DataType::Struct(StructType({{std::move(name), std::move(type), true}}));
  };
  EXPECT_EQ(Wider({pair(DataType::Integer(), "a"), pair(DataType::Double(), "A")}),
            "struct<a:double>");
  EXPECT_EQ(Wider({pair(DataType::Integer(), "a"), pair(DataType::Integer(), "b")}), "none");
}

TEST(CoercionTest, VoidGivesWay) {
  EXPECT_EQ(Wider({DataType::Null(), DataType::Null()}), "void");
  EXPECT_EQ(Wider({DataType::Null(), DataType::Binary()}), "binary");
}

TEST(CoercionTest, ALiteralCountsAsItsDigitsBesideADecimal) {
  EXPECT_EQ(DecimalOperand(*IntegerOf(7)), DataType::Decimal(1, 0));
  EXPECT_EQ(DecimalOperand(*IntegerOf(-100)), DataType::Decimal(3, 0));
  EXPECT_EQ(DecimalOperand(*IntegerOf(7, DataType::Byte())), DataType::Decimal(3, 0));
  EXPECT_EQ(DecimalOperand(*IntegerOf(INT64_MIN, DataType::Long())), DataType::Decimal(19, 0));
  EXPECT_EQ(DecimalOperand(*ColumnOf("a", DataType::Integer())), DataType::Decimal(10, 0));
}

TEST(CoercionTest, DecimalsOfArithmeticKeepIntegralDigits) {
  const DataType narrow = DataType::Decimal(5, 2);
  const DataType wide = DataType::Decimal(38, 10);
  const auto result = [](DecimalOperation operation, const DataType& left, const DataType& right,
                         bool loss = true) {
    return DecimalResult(operation, left, right, loss).CatalogString();
  };
  EXPECT_EQ(result(DecimalOperation::kAdd, wide, wide), "decimal(38,9)");
  EXPECT_EQ(result(DecimalOperation::kMultiply, narrow, wide), "decimal(38,6)");
  EXPECT_EQ(result(DecimalOperation::kDivide, narrow, narrow), "decimal(13,8)");
  EXPECT_EQ(result(DecimalOperation::kRemainder, DataType::Decimal(1, 0), wide), "decimal(11,10)");
  EXPECT_EQ(result(DecimalOperation::kMultiply, narrow, wide, false), "decimal(38,12)");
}

TEST(CoercionTest, MapsAndVariantsHaveNoOrder) {
  EXPECT_FALSE(IsOrderable(DataType::Map(DataType::String(), DataType::Integer())));
  EXPECT_FALSE(IsOrderable(DataType::Array(DataType::Variant())));
  EXPECT_TRUE(IsOrderable(DataType::Array(DataType::Binary())));
}

}  // namespace
}  // namespace merganser
