#include "merganser/spark/functions/cast_rules.h"

#include <gtest/gtest.h>

#include "merganser/spark/functions/expression_for_test.h"

namespace merganser {
namespace {

/// The class of the error of `CAST(value of from AS to)`, "ok" if there is none.
std::string CastError(const DataType& from, const DataType& to, bool is_try = false,
                      bool ansi = true) {
  TypingContext context;
  context.ansi = ansi;
  const auto cast = ResolveCast(ColumnOf("a", from), to, is_try, context);
  return cast.ok() ? "ok" : cast.error().sub_class();
}

TEST(CastRulesTest, CastsWithAnotherSpellingSaySo) {
  EXPECT_EQ(CastError(DataType::Integer(), DataType::Date()), "CAST_WITH_FUNC_SUGGESTION");
  EXPECT_EQ(CastError(DataType::Date(), DataType::Double()), "CAST_WITH_FUNC_SUGGESTION");
  EXPECT_EQ(CastError(DataType::Integer(), DataType::Binary()), "CAST_WITH_CONF_SUGGESTION");
  EXPECT_EQ(CastError(DataType::Integer(), DataType::Binary(), true), "CAST_WITHOUT_SUGGESTION");
  EXPECT_EQ(CastError(DataType::Integer(), DataType::Date(), false, false),
            "CAST_WITHOUT_SUGGESTION");
}

TEST(CastRulesTest, LegacyModeKnowsMoreCasts) {
  EXPECT_EQ(CastError(DataType::Boolean(), DataType::Timestamp()), "CAST_WITH_CONF_SUGGESTION");
  EXPECT_EQ(CastError(DataType::Boolean(), DataType::Timestamp(), false, false), "ok");
  EXPECT_EQ(CastError(DataType::TimestampNtz(), DataType::Boolean()), "CAST_WITHOUT_SUGGESTION");
}

TEST(CastRulesTest, IntervalsCastToExactNumbers) {
  EXPECT_TRUE(CanAnsiCast(DataType::DayTimeInterval(), DataType::Long()));
  EXPECT_TRUE(CanAnsiCast(DataType::Decimal(5, 2), DataType::YearMonthInterval()));
  EXPECT_FALSE(CanAnsiCast(DataType::DayTimeInterval(), DataType::Double()));
  EXPECT_FALSE(CanAnsiCast(DataType::DayTimeInterval(), DataType::YearMonthInterval()));
}

TEST(CastRulesTest, NestedTypesCastPartByPart) {
  EXPECT_TRUE(
      CanAnsiCast(DataType::Array(DataType::String()), DataType::Array(DataType::Integer())));
  EXPECT_FALSE(
      CanAnsiCast(DataType::Array(DataType::Integer()), DataType::Array(DataType::Date())));
  EXPECT_FALSE(CanAnsiCast(DataType::String(), DataType::Array(DataType::Integer())));
}

TEST(CastRulesTest, StoreAssignmentRefusesWhatLosesMeaning) {
  EXPECT_TRUE(CanStoreAssign(DataType::Long(), DataType::Byte(), StoreAssignmentPolicy::kAnsi));
  EXPECT_FALSE(
      CanStoreAssign(DataType::String(), DataType::Integer(), StoreAssignmentPolicy::kAnsi));
  EXPECT_TRUE(
      CanStoreAssign(DataType::String(), DataType::Integer(), StoreAssignmentPolicy::kLegacy));
  EXPECT_FALSE(
      CanStoreAssign(DataType::Long(), DataType::Integer(), StoreAssignmentPolicy::kStrict));
  EXPECT_TRUE(CanStoreAssign(DataType::Integer(), DataType::Decimal(10, 0),
                             StoreAssignmentPolicy::kStrict));
}

TEST(CastRulesTest, LengthsOfStringsAreNoPartOfACast) {
  const auto cast = ResolveCast(TextOf("abcdef"), DataType::Varchar(3), false, {});
  ASSERT_TRUE(cast.ok());
  EXPECT_EQ(GeneratedName(**cast), "CAST(abcdef AS STRING)");
}

}  // namespace
}  // namespace merganser
