#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(CommonTableBindingTest, TablesOfAWithSeeTheOnesBefore) {
  QueryAnalysis q;
  EXPECT_EQ(
      q.Columns(
          "WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT a.x, B.Y FROM a, b"),
      "x int!, Y int!");
  EXPECT_EQ(q.Columns("WITH b AS (SELECT * FROM a), a AS (SELECT 1) SELECT * FROM b"),
            "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(q.Columns("WITH t AS (SELECT a FROM t) SELECT * FROM t"), "a int");
  EXPECT_EQ(q.Columns("WITH a AS (SELECT 1 AS x) SELECT (SELECT max(x) FROM a) AS m FROM u"),
            "m int");
}

TEST(CommonTableBindingTest, InnerTablesHideOuterOnes) {
  QueryAnalysis q;
  EXPECT_EQ(
      q.Columns(
          "WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH a AS (SELECT 'z' AS x) SELECT * FROM a)"),
      "x string!");
  EXPECT_EQ(q.Columns("WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 'z' AS x) SELECT * FROM "
                      "a) SELECT * FROM b, a"),
            "x string!, x int!");
}

TEST(CommonTableBindingTest, UnusedTablesAreCheckedToo) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("WITH a AS (SELECT nope) SELECT 1"), "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Columns("WITH a(x, y) AS (SELECT 1) SELECT * FROM a"), "ASSIGNMENT_ARITY_MISMATCH");
  EXPECT_EQ(q.Columns("WITH a AS (SELECT 1) SELECT * FROM a VERSION AS OF 1"),
            "UNSUPPORTED_FEATURE.TIME_TRAVEL");
}

TEST(CommonTableBindingTest, WhatIsRandomIsComputedOnce) {
  QueryAnalysis q;
  const auto bound = q.Bind("WITH a AS (SELECT rand() AS x) SELECT p.x = q.x FROM a p, a q");
  ASSERT_TRUE(bound.ok());
  const auto* with = (*bound)->As<BoundWith>();
  ASSERT_NE(with, nullptr);
  EXPECT_EQ(with->step, nullptr);
  const auto plain = q.Bind("WITH a AS (SELECT k AS x FROM u) SELECT p.x = q.x FROM a p, a q");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ((*plain)->As<BoundWith>(), nullptr);
}

TEST(CommonTableBindingTest, ARecursiveTableReadsItself) {
  QueryAnalysis q;
  const auto bound = q.Bind(
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM "
      "r");
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(q.Columns(bound), "n int");
  const auto* with = (*bound)->As<BoundWith>();
  ASSERT_NE(with, nullptr);
  EXPECT_NE(with->step, nullptr);
  EXPECT_EQ(q.Columns("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r), s AS "
                      "(SELECT n * 2 AS m FROM r) SELECT * FROM s"),
            "m int");
}

TEST(CommonTableBindingTest, RecursionHasToStartAndKeepItsShape) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("WITH RECURSIVE r AS (SELECT n FROM r) SELECT * FROM r"),
            "INVALID_RECURSIVE_CTE");
  EXPECT_EQ(
      q.Columns("WITH RECURSIVE r AS (SELECT 1 AS n UNION SELECT n + 1 FROM r) SELECT * FROM r"),
      "UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE");
  EXPECT_EQ(
      q.Columns("WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT 'a' FROM r) SELECT * FROM r"),
      "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE");
  EXPECT_EQ(
      q.Columns(
          "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT max(n) FROM r) SELECT * FROM r"),
      "INVALID_RECURSIVE_REFERENCE.PLACE");
  EXPECT_EQ(q.Columns("WITH RECURSIVE a AS (SELECT k FROM u UNION SELECT 1) SELECT * FROM a"),
            "k int");
}

}  // namespace
}  // namespace merganser
