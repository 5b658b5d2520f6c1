#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(SortBindingTest, OrderByReachesBelowTheList) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a FROM t ORDER BY b"), "a int");
  EXPECT_EQ(q.Columns("SELECT t.g AS x FROM t ORDER BY t.g, x"), "x string");
  EXPECT_EQ(q.Columns("SELECT s.x AS q FROM t ORDER BY s.y"), "q int");
  EXPECT_EQ(q.Columns("SELECT a, explode(array(a, b)) AS e FROM t ORDER BY e, b"), "a int, e int");
}

TEST(SortBindingTest, OrderByMeansTheOutputFirst) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT a AS b FROM t ORDER BY b");
  ASSERT_TRUE(bound.ok());
  const auto* sort = (*bound)->As<BoundSort>();
  ASSERT_NE(sort, nullptr);
  EXPECT_EQ(sort->order_by[0].child->As<BoundColumnRef>()->id, (*bound)->columns[0].id);
}

TEST(SortBindingTest, OrderByUsesAggregatesAndGroupsOutsideTheList) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g FROM t GROUP BY g ORDER BY max(a), count(*) DESC"), "g string");
  EXPECT_EQ(q.Columns("SELECT max(b) FROM t GROUP BY a ORDER BY a"), "max(b) int");
  EXPECT_EQ(q.Columns("SELECT a + 1 FROM t GROUP BY a + 1 ORDER BY a + 1"), "(a + 1) int");
  EXPECT_EQ(q.Columns("SELECT g, sum(a) AS a FROM t GROUP BY g ORDER BY sum(b), a"),
            "g string, a bigint");
  EXPECT_EQ(q.Failure("SELECT g FROM t GROUP BY g ORDER BY b", "proposal"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION `g` at 'b'");
}

TEST(SortBindingTest, DistinctRowsHaveNothingBelow) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT DISTINCT k FROM u ORDER BY k + 1"), "k int");
  EXPECT_EQ(q.Columns("SELECT DISTINCT k AS q FROM u ORDER BY u.k"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT DISTINCT m FROM t"), "UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE");
}

TEST(SortBindingTest, OrderByTakesPositionsAndAll) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a, b FROM t ORDER BY 2 DESC, 1"), "a int, b int");
  EXPECT_EQ(q.Failure("SELECT a FROM t ORDER BY 2", "size"), "ORDER_BY_POS_OUT_OF_RANGE 1 at '2'");
  const auto bound = q.Bind("SELECT a, b FROM t ORDER BY ALL DESC NULLS FIRST");
  ASSERT_TRUE(bound.ok());
  const auto* sort = (*bound)->As<BoundSort>();
  ASSERT_NE(sort, nullptr);
  ASSERT_EQ(sort->order_by.size(), 2U);
  EXPECT_FALSE(sort->order_by[1].ascending);
  EXPECT_TRUE(sort->order_by[1].nulls_first);
}

TEST(SortBindingTest, SortKeysAreValuesOfARow) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT a FROM t ORDER BY sum(a)", "invalidExprSqls"),
            "UNSUPPORTED_EXPR_FOR_OPERATOR \"sum(a)\" at 'ORDER BY sum(a)'");
  EXPECT_EQ(q.Columns("SELECT a FROM t ORDER BY row_number() OVER (ORDER BY b)"),
            "UNSUPPORTED_EXPR_FOR_OPERATOR");
  EXPECT_EQ(q.Columns("SELECT a FROM t ORDER BY explode(array(1))"),
            "UNSUPPORTED_GENERATOR.OUTSIDE_SELECT");
  EXPECT_EQ(q.Failure("SELECT a FROM t ORDER BY m"),
            "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE at 'm'");
  EXPECT_EQ(q.Columns("SELECT a x, b x FROM t ORDER BY x"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(SortBindingTest, LimitsAreConstants) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a FROM t LIMIT 1 OFFSET 2"), "a int");
  EXPECT_EQ(q.Failure("SELECT a FROM t LIMIT -1", "v"),
            "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE -1 at '-1'");
  EXPECT_EQ(q.Columns("SELECT a FROM t LIMIT a"), "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE");
  EXPECT_EQ(q.Columns("SELECT a FROM t LIMIT rand()"),
            "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE");
  EXPECT_EQ(q.Columns("SELECT a FROM t LIMIT 1 OFFSET NULL"),
            "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE");
  EXPECT_EQ(q.Columns("SELECT a FROM t LIMIT CAST(NULL AS INT)"),
            "INVALID_LIMIT_LIKE_EXPRESSION.IS_NULL");
}

}  // namespace
}  // namespace merganser
