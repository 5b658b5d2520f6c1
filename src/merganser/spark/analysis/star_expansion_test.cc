#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(StarExpansionTest, AStarIsAllColumnsOfItsTable) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * FROM u"), "k int, a int, z string");
  EXPECT_EQ(q.Columns("SELECT x.*, u.k FROM u, VALUES (1L) AS x(n)"), "n bigint!, k int");
  EXPECT_EQ(q.Columns("SELECT spark_catalog.default.u.* FROM u"), "k int, a int, z string");
}

TEST(StarExpansionTest, AStarOfAStructIsItsFields) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT s.*, t.s.* FROM t"), "x int, y string, x int, y string");
  EXPECT_EQ(q.Columns("SELECT t.* FROM (SELECT named_struct('p', 1) t, 5 AS r) t"),
            "t struct<p:int>!, r int!");
  EXPECT_EQ(q.Failure("SELECT zz.* FROM u", "columns"),
            "CANNOT_RESOLVE_STAR_EXPAND `a`, `k`, `z` at 'zz.*'");
  EXPECT_EQ(q.Columns("SELECT arr.* FROM t"), "_LEGACY_ERROR_TEMP_1050");
}

TEST(StarExpansionTest, ExceptLeavesOutColumnsAndFields) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * EXCEPT (a, s.x, arr, m) FROM t"),
            "g string, b int, s struct<y:string>!");
  EXPECT_EQ(q.Columns("SELECT u.* EXCEPT (u.K) FROM u"), "a int, z string");
  EXPECT_EQ(q.Columns("SELECT * EXCEPT (k, a, z) FROM u"), "");
  EXPECT_EQ(q.Failure("SELECT * EXCEPT (nope) FROM u", "proposal"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION `k`, `a`, `z` at '* EXCEPT (nope)'");
  EXPECT_EQ(q.Failure("SELECT * EXCEPT (s, s.y) FROM t", "columns"),
            "EXCEPT_OVERLAPPING_COLUMNS s, s.y at '* EXCEPT (s, s.y)'");
}

TEST(StarExpansionTest, StarsInArgumentsAreColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT struct(*) AS s FROM u"), "s struct<k:int,a:int,z:string>!");
  EXPECT_EQ(q.Columns("SELECT count(*), count(DISTINCT *) FROM u"),
            "count(1) bigint!, count(DISTINCT k, a, z) bigint!");
  EXPECT_EQ(q.Columns("SELECT count(u.*) FROM u"),
            "INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT");
  EXPECT_EQ(q.Columns("SELECT sum(*) FROM u"), "WRONG_NUM_ARGS.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Failure("SELECT a FROM u WHERE *", "prettyName"),
            "INVALID_USAGE_OF_STAR_OR_REGEX Filter at '*'");
}

}  // namespace
}  // namespace merganser
