#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(JoinBindingTest, UsingColumnsComeFirstAndOnce) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * FROM (SELECT 1 v, 2 k) a JOIN (SELECT 1 k, 3 w) b USING (k)"),
            "k int!, v int!, w int!");
  EXPECT_EQ(q.Columns("SELECT * FROM (SELECT 1 v, 2 k) a NATURAL JOIN (SELECT 1 k, 3 w) b"),
            "k int!, v int!, w int!");
  EXPECT_EQ(q.Columns("SELECT * FROM u a JOIN u b USING (k) JOIN u c USING (k)"),
            "k int, a int, z string, a int, z string, a int, z string");
}

TEST(JoinBindingTest, BothUsingColumnsAreReachedByTheirTable) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT t.a, u.a, a FROM t FULL JOIN u USING (a)"), "a int, a int, a int");
  EXPECT_EQ(q.Columns("SELECT u.* FROM t FULL JOIN u USING (a)"), "a int, k int, z string");
  EXPECT_EQ(q.Columns("SELECT u.a FROM t LEFT SEMI JOIN u USING (a)"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(JoinBindingTest, AFullJoinTakesTheKeyOfEitherSide) {
  QueryAnalysis q;
  const auto bound =
      q.Bind("SELECT k FROM (SELECT 1 AS k) a FULL JOIN (SELECT 2L AS k) b USING (k)");
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(q.Columns(bound), "k bigint!");
  const auto* project = (*bound)->As<BoundProject>();
  ASSERT_NE(project, nullptr);
  const auto* keys = project->child->As<BoundProject>();
  ASSERT_NE(keys, nullptr);
  EXPECT_EQ(GeneratedName(*keys->outputs.back().expression), "coalesce(k, k)");
}

TEST(JoinBindingTest, TheSideThatMayBeMissingIsNullable) {
  QueryAnalysis q;
  const std::string sides = " (SELECT 1 AS x) a %s JOIN (SELECT 2 AS y) b ON x = y";
  const auto columns = [&](const char* type) {
    std::string from = sides;
    from.replace(from.find("%s"), 2, type);
    return q.Columns("SELECT * FROM" + from);
  };
  EXPECT_EQ(columns("INNER"), "x int!, y int!");
  EXPECT_EQ(columns("LEFT"), "x int!, y int");
  EXPECT_EQ(columns("RIGHT"), "x int, y int!");
  EXPECT_EQ(columns("FULL"), "x int, y int");
  EXPECT_EQ(columns("LEFT ANTI"), "x int!");
}

TEST(JoinBindingTest, KeysHaveToExistOnBothSides) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT * FROM t JOIN u USING (k)", "suggestion"),
            "UNRESOLVED_USING_COLUMN_FOR_JOIN `a`, `arr`, `b`, `g`, `m`, `s`");
  EXPECT_EQ(q.Failure("SELECT * FROM u JOIN t USING (k)", "side"),
            "UNRESOLVED_USING_COLUMN_FOR_JOIN right");
}

TEST(JoinBindingTest, ConditionsAreBooleansOverBothSides) {
  QueryAnalysis q;
  EXPECT_EQ(
      q.Columns("SELECT k FROM t JOIN u ON t.a = k AND EXISTS (SELECT 1 FROM u x WHERE x.k = t.a)"),
      "k int");
  EXPECT_EQ(q.Columns("SELECT * FROM t JOIN u ON t.a"), "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE");
  EXPECT_EQ(q.Columns("SELECT * FROM t JOIN u ON sum(t.a) > 1"), "UNSUPPORTED_EXPR_FOR_OPERATOR");
  EXPECT_EQ(q.Columns("SELECT * FROM t JOIN u ON rand() > 1"),
            "INVALID_NON_DETERMINISTIC_EXPRESSIONS");
  EXPECT_EQ(
      q.Failure("SELECT * FROM t JOIN u ON nope = 1", "proposal"),
      "UNRESOLVED_COLUMN.WITH_SUGGESTION `t`.`a`, `u`.`a`, `t`.`b`, `t`.`g`, `u`.`k` at 'nope'");
}

TEST(JoinBindingTest, LateralSeesWhatStandsBefore) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT z.* FROM t q, LATERAL (SELECT q.a, 1 AS one) z"), "a int, one int!");
  EXPECT_EQ(q.Columns("SELECT k, c FROM u, LATERAL (SELECT count(*) AS c FROM t WHERE t.a = u.k) q "
                      "WHERE q.c > 0"),
            "k int, c bigint!");
  EXPECT_EQ(q.Columns("SELECT q FROM t, (SELECT t.a + 1 AS q)"),
            "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT * FROM u JOIN LATERAL (SELECT u.k + rand()) ON true"),
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.NON_DETERMINISTIC_LATERAL_SUBQUERIES");
}

TEST(JoinBindingTest, LateralGeneratorsNeedNoJoin) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT g, x FROM t, LATERAL explode(t.arr) AS e(x)");
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(q.Columns(bound), "g string, x struct<p:int>");
  EXPECT_NE((*bound)->As<BoundProject>()->child->As<BoundGenerate>(), nullptr);
  EXPECT_EQ(q.Columns("SELECT g, x FROM t LEFT JOIN LATERAL explode(arr) e(x) ON x.p = 6"),
            "g string, x struct<p:int>");
}

}  // namespace
}  // namespace merganser
