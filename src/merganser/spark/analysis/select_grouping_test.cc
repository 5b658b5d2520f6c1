#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(SelectGroupingTest, ColumnsHaveToBeGrouped) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a + 1, count(*) FROM t GROUP BY a + 1"),
            "(a + 1) int, count(1) bigint!");
  EXPECT_EQ(q.Columns("SELECT 1 + a, b + a FROM t GROUP BY a + 1, a + b"),
            "(1 + a) int, (b + a) int");
  EXPECT_EQ(q.Failure("SELECT a + 1, a FROM t GROUP BY a + 1", "expression"),
            "MISSING_AGGREGATION \"a\"");
  EXPECT_EQ(q.Columns("SELECT s.x FROM t GROUP BY s"), "x int");
  EXPECT_EQ(q.Columns("SELECT s FROM t GROUP BY s.x"), "MISSING_AGGREGATION");
}

TEST(SelectGroupingTest, GroupByTakesPositionsAndAliases) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a AS q, count(*) FROM t GROUP BY q"), "q int, count(1) bigint!");
  EXPECT_EQ(q.Columns("SELECT k + 1 AS q FROM u GROUP BY q + 1, q"), "q int");
  EXPECT_EQ(q.Columns("SELECT *, count(*) FROM u GROUP BY 1, 2, 3"),
            "k int, a int, z string, count(1) bigint!");
  EXPECT_EQ(q.Failure("SELECT a FROM t GROUP BY 2", "size"), "GROUP_BY_POS_OUT_OF_RANGE 1 at '2'");
  EXPECT_EQ(q.Failure("SELECT sum(a) FROM t GROUP BY 1", "aggExpr"),
            "GROUP_BY_POS_AGGREGATE sum(spark_catalog.default.t.a) AS `sum(a)` at '1'");
  EXPECT_EQ(q.Failure("SELECT sum(a) AS q FROM u GROUP BY q", "sqlExpr"),
            "GROUP_BY_AGGREGATE sum(spark_catalog.default.u.a) at 'sum(a)'");
}

TEST(SelectGroupingTest, AColumnWinsOverAnAliasInGroupBy) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a AS b, b AS a FROM t GROUP BY a, b"), "b int, a int");
  EXPECT_EQ(q.Columns("SELECT count(*) AS g FROM t GROUP BY g"), "g bigint!");
}

TEST(SelectGroupingTest, GroupByAllGroupsByWhatIsNoAggregate) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g, a + 1 AS b1, sum(b) FROM t GROUP BY ALL"),
            "g string, b1 int, sum(b) bigint");
  EXPECT_EQ(q.Columns("SELECT sum(a) FROM t GROUP BY ALL"), "sum(a) bigint");
  EXPECT_EQ(q.Columns("SELECT g, sum(a) + b FROM t GROUP BY ALL"), "MISSING_AGGREGATION");
}

TEST(SelectGroupingTest, RollupMakesItsKeysNullable) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT x, count(*) FROM VALUES (1) AS v(x) GROUP BY ROLLUP(x)"),
            "x int, count(1) bigint!");
  const auto bound = q.Bind("SELECT g, b, count(*) FROM t GROUP BY ROLLUP(g, b)");
  ASSERT_TRUE(bound.ok());
  const auto* aggregation = (*bound)->As<BoundProject>()->child->As<BoundAggregation>();
  ASSERT_NE(aggregation, nullptr);
  EXPECT_EQ(aggregation->sets, (std::vector<std::vector<int>>{{0, 1}, {0}, {}}));
}

TEST(SelectGroupingTest, GroupingSetsShareTheirExpressions) {
  QueryAnalysis q;
  const auto bound =
      q.Bind("SELECT g, b, count(*) FROM t GROUP BY GROUPING SETS ((g), (b, g), ())");
  ASSERT_TRUE(bound.ok());
  const auto* aggregation = (*bound)->As<BoundProject>()->child->As<BoundAggregation>();
  ASSERT_NE(aggregation, nullptr);
  EXPECT_EQ(aggregation->group_by.size(), 2U);
  EXPECT_EQ(aggregation->sets, (std::vector<std::vector<int>>{{0}, {1, 0}, {}}));
}

TEST(SelectGroupingTest, GroupingFunctionsNeedGroupingSets) {
  QueryAnalysis q;
  EXPECT_EQ(
      q.Columns("SELECT grouping(g), grouping_id(), grouping_id(g) FROM t GROUP BY ROLLUP(g)"),
      "grouping(g) tinyint!, grouping_id() bigint!, grouping_id(g) bigint!");
  EXPECT_EQ(q.Columns("SELECT grouping__id FROM t GROUP BY CUBE(g)"), "grouping__id bigint!");
  EXPECT_EQ(
      q.Columns("SELECT g FROM t GROUP BY ROLLUP(g) HAVING grouping(g) = 1 ORDER BY grouping_id()"),
      "g string");
  EXPECT_EQ(q.Columns("SELECT grouping(g) FROM t GROUP BY g"), "UNSUPPORTED_GROUPING_EXPRESSION");
  EXPECT_EQ(q.Columns("SELECT grouping(a) FROM t GROUP BY ROLLUP(g)"), "GROUPING_COLUMN_MISMATCH");
  EXPECT_EQ(q.Columns("SELECT grouping_id(b, g) FROM t GROUP BY ROLLUP(g, b)"),
            "GROUPING_ID_COLUMN_MISMATCH");
}

TEST(SelectGroupingTest, ScalarSubqueriesOfARowHaveNoPlaceBesideAggregates) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a, (SELECT max(k) FROM u WHERE u.a = t.a) FROM t GROUP BY a"),
            "SCALAR_SUBQUERY_IS_IN_GROUP_BY_OR_AGGREGATE_FUNCTION");
  EXPECT_EQ(q.Columns("SELECT sum((SELECT max(k) FROM u WHERE u.a = t.a)) FROM t"),
            "sum(scalarsubquery(a)) bigint");
  EXPECT_EQ(q.Columns("SELECT g, (SELECT max(k) FROM u) FROM t GROUP BY g"),
            "g string, scalarsubquery() int");
}

}  // namespace
}  // namespace merganser
