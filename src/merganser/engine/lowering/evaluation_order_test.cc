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
  // An equality between the sides of a join stays where the engine finds it.
  BoundColumn left;
  left.id = 1;
  EXPECT_EQ(*LowerRowCondition(*CallOf("and", {guard, key}), {{left}}, context),
            "((c2 <> c3) AND " + *LowerExpression(*key, context) + ")");
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
