#include "merganser/spark/analysis/expression_check.h"

#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

/// The expressions of `SELECT <list> FROM t`, without binding an aggregation.
std::vector<BoundExpressionPtr> Expressions(test::QueryAnalysis& q, const std::string& list) {
  const auto bound = q.Bind("SELECT " + list + " FROM t");
  std::vector<BoundExpressionPtr> expressions;
  if (!bound.ok()) return expressions;
  for (const BoundOutput& output : (*bound)->As<BoundProject>()->outputs)
    expressions.push_back(output.expression);
  return expressions;
}

TEST(ExpressionCheckTest, OperandsOfSomeOperatorsMaySwap) {
  test::QueryAnalysis q;
  const auto e = Expressions(
      q, "a + b, b + a, a - b, b - a, a < b, b > a, (a + b) * 2, 2 * (b + a), upper(g), UPPER(G)");
  ASSERT_EQ(e.size(), 10U);
  EXPECT_TRUE(Equivalent(*e[0], *e[1]));
  EXPECT_FALSE(Equivalent(*e[2], *e[3]));
  EXPECT_TRUE(Equivalent(*e[4], *e[5]));
  EXPECT_TRUE(Equivalent(*e[6], *e[7]));
  EXPECT_TRUE(Equivalent(*e[8], *e[9]));
  EXPECT_FALSE(Equivalent(*e[0], *e[6]));
}

TEST(ExpressionCheckTest, FindsWhatIsInside) {
  test::QueryAnalysis q;
  const auto e = Expressions(q, "a + 1, sum(b) OVER () + 1");
  ASSERT_EQ(e.size(), 2U);
  EXPECT_EQ(FindWindow(*e[0]), nullptr);
  EXPECT_NE(FindWindow(*e[1]), nullptr);
  EXPECT_EQ(FindAggregate(*e[1]), nullptr);
}

}  // namespace
}  // namespace merganser
