#include "merganser/engine/lowering/evaluation_order.h"

#include <gtest/gtest.h>

#include "merganser/engine/lowering/lowering.h"

namespace merganser {
namespace {

BoundExpressionPtr Numbered(ColumnId id, const DataType& type = DataType::Integer()) {
  return MakeBound(BoundColumnRef{id, "c", {}}, type, true);
}

BoundExpressionPtr CallOf(const std::string& function, std::vector<BoundExpressionPtr> arguments,
                          const DataType& type = DataType::Boolean()) {
  return MakeBound(BoundCall{function, std::move(arguments), true}, type, true);
}

BoundExpressionPtr Quotient(ColumnId left, ColumnId right) {
  return CallOf("div", {Numbered(left), Numbered(right)}, DataType::Long());
}

TEST(EvaluationOrderTest, KnowsWhatFails) {
  EXPECT_FALSE(CanFail(*Numbered(1), true));
  EXPECT_FALSE(CanFail(*CallOf("=", {Numbered(1), Numbered(2)}), true));
  EXPECT_TRUE(CanFail(*Quotient(1, 2), true));
  EXPECT_TRUE(CanFail(*CallOf("=", {Numbered(1), Quotient(1, 2)}), true));
  EXPECT_FALSE(
      CanFail(*CallOf("+", {Numbered(1, DataType::Double()), Numbered(2, DataType::Double())},
                      DataType::Double()),
              true));
}

TEST(EvaluationOrderTest, ConjunctionsKeepWhatCannotFailApart) {
  const auto guard = CallOf("<>", {Numbered(2), Numbered(3)});
  const auto fails = CallOf(">", {Quotient(1, 2), Numbered(3)});
  const auto key = CallOf("=", {Numbered(1), Quotient(5, 6)});
  const LoweringContext context;
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {fails, guard}), {}, context),
            "(" + *LowerExpression(*fails, context) + " AND (c2 <> c3))");
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {guard, fails}), {}, context),
            "((c2 <> c3) AND CASE WHEN ((c2 <> c3)) THEN " + *LowerExpression(*fails, context) +
                " ELSE false END)");
  // An equality between the sides of a join stays one, so that the engine finds it.
  BoundColumn left;
  left.id = 1;
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {guard, key}), {{left}}, context),
            "((c2 <> c3) AND (c1 = " + *LowerExpression(*Quotient(5, 6), context) + "))");
  EXPECT_EQ(*LowerRowCondition(*key, {{left}}, context),
            "((c1 = " + *LowerExpression(*Quotient(5, 6), context) + "))");
}

TEST(EvaluationOrderTest, WhatIsOfOneRelationWaitsForNoOther) {
  const LoweringContext context;
  BoundColumn left;
  left.id = 1;
  const auto key = CallOf("=", {Numbered(1), Numbered(2)});
  const auto right_guard = CallOf("<>", {Numbered(3), Numbered(2)});
  const auto right_fails = CallOf(">", {Quotient(3, 2), Numbered(2)});
  const auto both_fail = CallOf(">", {Quotient(1, 2), Numbered(3)});
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {key, right_fails}), {{left}}, context),
            "((c1 = c2) AND " + *LowerExpression(*right_fails, context) + ")");
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {CallOf("and", {key, right_guard}), right_fails}),
                               {{left}}, context),
            "((c1 = c2) AND (c3 <> c2) AND CASE WHEN ((c3 <> c2)) THEN " +
                *LowerExpression(*right_fails, context) + " ELSE false END)");
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {key, both_fail}), {{left}}, context),
            "((c1 = c2) AND CASE WHEN ((c1 = c2)) THEN " + *LowerExpression(*both_fail, context) +
                " ELSE false END)");
}

TEST(EvaluationOrderTest, ConstantsStayForTheScan) {
  BoundCast cast;
  cast.child = MakeBound(plan::Literal{DataType::String(), std::string("2024-01-31")},
                         DataType::String(), false);
  const auto day = MakeBound(std::move(cast), DataType::Date(), true);
  const auto condition = CallOf("and", {CallOf("=", {Numbered(1), Numbered(2)}),
                                        CallOf(">=", {Numbered(3, DataType::Date()), day})});
  EXPECT_TRUE(CanFail(*day, true));
  EXPECT_EQ(*LowerRowCondition(*condition, {}, {}),
            "((c1 = c2) AND (c3 >= " + *LowerExpression(*day, {}) + "))");
}

TEST(EvaluationOrderTest, LongSumsGoWithoutGuards) {
  BoundExpressionPtr sum = Numbered(1);
  for (ColumnId id = 2; id < 100; ++id) {
    sum = CallOf("+", {sum, CallOf("*", {Numbered(id), Numbered(id + 100)}, DataType::Integer())},
                 DataType::Integer());
  }
  EXPECT_LT(LowerExpression(*sum, {})->size(), size_t{40000});
}

TEST(EvaluationOrderTest, NestedLogicStaysShort) {
  const auto short_logic = CallOf("and", {Numbered(1, DataType::Boolean()), Numbered(2)});
  EXPECT_EQ(*LowerExpression(*short_logic, {}), "(c1 AND c2)");
  BoundExpressionPtr chain = CallOf(">", {Quotient(1, 2), Numbered(3)});
  for (int i = 0; i < 200; ++i)
    chain = CallOf(i % 2 == 0 ? "and" : "or", {CallOf("<>", {Numbered(2), Numbered(3)}), chain});
  EXPECT_LT(LowerExpression(*chain, {})->size(), size_t{1} << 22);
}

}  // namespace
}  // namespace merganser
