#include "merganser/spark/analysis/select_binder.h"

#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(SelectBinderTest, AliasesAreVisibleToTheRight) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT 1 AS a, a + 1"), "a int!, (lateralAliasReference(a) + 1) int!");
  EXPECT_EQ(q.Columns("SELECT 1 AS a, a + 1 AS b, b + 1 AS c, c"),
            "a int!, b int!, c int!, c int!");
  EXPECT_EQ(q.Columns("SELECT struct(1 AS x) AS q, q.x"), "q struct<x:int>!, x int!");
  EXPECT_EQ(q.Columns("SELECT z, sum(k) AS sk, sk + a FROM u GROUP BY z, a"),
            "z string, sk bigint, (lateralAliasReference(sk) + a) bigint");
}

TEST(SelectBinderTest, AColumnWinsOverAnAlias) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g AS b, b FROM t"), "b string, b int");
}

TEST(SelectBinderTest, AliasesReachNeitherLeftNorIntoConditionsAndWindows) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a AS q FROM t WHERE q > 1"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT q, 1 AS q"), "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT 1 AS q, (SELECT q)"), "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT 1 AS a, 2 AS a, a"), "AMBIGUOUS_LATERAL_COLUMN_ALIAS");
  EXPECT_EQ(q.Columns("SELECT a AS q, sum(q) OVER (ORDER BY a) FROM t"),
            "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_WINDOW");
  EXPECT_EQ(q.Columns("SELECT k AS kk, sum(kk) FROM u GROUP BY k"),
            "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_AGGREGATE_FUNC");
}

TEST(SelectBinderTest, ReferencesToAliasesAreComputedAboveThem) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT rand() AS r, r + 1 AS s FROM u");
  ASSERT_TRUE(bound.ok());
  const auto* upper = (*bound)->As<BoundProject>();
  ASSERT_NE(upper, nullptr);
  const auto* lower = upper->child->As<BoundProject>();
  ASSERT_NE(lower, nullptr) << "rand() has to be computed once";
  EXPECT_NE(upper->outputs[0].expression->As<BoundColumnRef>(), nullptr);
}

TEST(SelectBinderTest, GeneratorsGiveColumnsBesideTheOthers) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT explode(m) FROM t"), "key string!, value int");
  EXPECT_EQ(q.Columns("SELECT explode(m) AS (k, v), g FROM t"), "k string!, v int, g string");
  EXPECT_EQ(q.Columns("SELECT 1, explode(array(1,2)) AS x, x + 1 FROM t"),
            "1 int!, x int!, (x + 1) int!");
  EXPECT_EQ(q.Columns("SELECT posexplode(arr), inline(arr) FROM t"),
            "pos int!, col struct<p:int>, p int");
  EXPECT_EQ(q.Columns("SELECT explode_outer(arr) AS e FROM t"), "e struct<p:int>");
  EXPECT_EQ(q.Columns("SELECT explode(array(1)) x, explode(array(x + 1)) y"), "x int!, y int!");
}

TEST(SelectBinderTest, GeneratorsRunAboveAggregates) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g, explode(array(1,2)), count(*) FROM t GROUP BY g"),
            "g string, col int!, count(1) bigint!");
  EXPECT_EQ(q.Columns("SELECT explode(array(sum(a))) FROM t"), "col bigint");
}

TEST(SelectBinderTest, GeneratorsStandAlone) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT explode(array(1)) + 1 FROM t"),
            "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS");
  EXPECT_EQ(q.Columns("SELECT a FROM t WHERE explode(array(1)) > 1"),
            "UNSUPPORTED_GENERATOR.OUTSIDE_SELECT");
  EXPECT_EQ(q.Columns("SELECT explode(m) AS k FROM t"), "UDTF_ALIAS_NUMBER_MISMATCH");
  EXPECT_EQ(q.Columns("SELECT a AS (x, y) FROM t"), "MULTI_ALIAS_WITHOUT_GENERATOR");
}

TEST(SelectBinderTest, AggregatesWithoutGroupByMakeOneRow) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT count(*), sum(a) + 1 FROM t"),
            "count(1) bigint!, (sum(a) + 1) bigint");
  EXPECT_EQ(q.Failure("SELECT a, count(*) FROM t"),
            "MISSING_GROUP_BY at 'SELECT a, count(*) FROM t'");
  EXPECT_EQ(q.Columns("SELECT sum(sum(a)) FROM t"), "NESTED_AGGREGATE_FUNCTION");
  EXPECT_EQ(q.Columns("SELECT sum(rand()) FROM t"),
            "AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION");
  EXPECT_EQ(q.Columns("SELECT grouping_id() FROM t"), "UNSUPPORTED_GROUPING_EXPRESSION");
}

TEST(SelectBinderTest, FiltersOfAggregatesAreConditionsOfRows) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT sum(a) FILTER (WHERE b > 1) FROM t"),
            "sum(a) FILTER (WHERE (b > 1)) bigint");
  EXPECT_EQ(q.Columns("SELECT sum(a) FILTER (WHERE 1) FROM t"),
            "INVALID_AGGREGATE_FILTER.NOT_BOOLEAN");
  EXPECT_EQ(q.Columns("SELECT sum(a) FILTER (WHERE sum(a) > 1) FROM t"),
            "INVALID_AGGREGATE_FILTER.CONTAINS_AGGREGATE");
  EXPECT_EQ(q.Columns("SELECT sum(a) FILTER (WHERE rand() > 1) FROM t"),
            "INVALID_AGGREGATE_FILTER.NON_DETERMINISTIC");
}

}  // namespace
}  // namespace merganser
