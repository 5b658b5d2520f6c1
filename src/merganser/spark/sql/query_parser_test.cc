#include "merganser/spark/sql/query_parser.h"

#include <utility>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

void ExpectQueryPlans(std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(QueryPlan(text), expected) << text;
}

TEST(QueryParserTest, NestsClausesTheWayTheyAreEvaluated) {
  EXPECT_EQ(
      QueryPlan("SELECT /*+ BROADCAST(t) */ DISTINCT a FROM t WHERE b GROUP BY a HAVING c "
                "WINDOW w AS (ORDER BY a) QUALIFY d ORDER BY e LIMIT 1 OFFSET 2"),
      "limit(1,2; sort(e; hint(BROADCAST; windows(w=( ORDER a); distinct(qualify(d; having(c; "
      "aggregate(a | a; filter(b; t)))))))))");
}

TEST(QueryParserTest, ReadsSelectLists) {
  ExpectQueryPlans({
      {"SELECT 1", "project(1; ())"},
      {"SELECT a b, c AS d, e AS (f, g), t.* FROM t", "project(a AS b, c AS d, e AS f,g, t.*; t)"},
      {"SELECT * EXCEPT (a) FROM t", "project(* -a; t)"},
      {"SELECT 1 HAVING true", "having(true; aggregate( | 1; ()))"},
      {"SELECT ALL a FROM t", "project(a; t)"},
      {"SELECT from FROM t", "project(from; t)"},
      {"SELECT a,", "PARSE_SYNTAX_ERROR"},
  });
}

TEST(QueryParserTest, BindsIntersectTighterThanUnion) {
  ExpectQueryPlans({
      {"SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
       "union(project(1; ()), intersect(project(2; ()), project(3; ())))"},
      {"SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3",
       "except(union all(project(1; ()), project(2; ())), project(3; ()))"},
      {"SELECT 1 MINUS ALL SELECT 2", "except all(project(1; ()), project(2; ()))"},
      {"(SELECT 1 LIMIT 1) UNION (SELECT 2) ORDER BY 1 LIMIT 3",
       "limit(3,-; sort(1; union(limit(1,-; project(1; ())), project(2; ()))))"},
  });
}

TEST(QueryParserTest, ReadsOrderAndLimit) {
  ExpectQueryPlans({
      {"SELECT a FROM t ORDER BY a DESC, b NULLS LAST",
       "sort(a DESC, b NULLS LAST; project(a; t))"},
      {"SELECT a FROM t ORDER BY ALL DESC", "sort(ALL - DESC; project(a; t))"},
      {"SELECT a FROM t SORT BY a", "local sort(a; project(a; t))"},
      {"SELECT a FROM t CLUSTER BY a", "local sort(a; project(a; t))"},
      {"SELECT a FROM t DISTRIBUTE BY a", "project(a; t)"},
      {"SELECT a FROM t DISTRIBUTE BY a SORT BY b", "local sort(b; project(a; t))"},
      {"SELECT a FROM t LIMIT ALL OFFSET 2", "limit(-,2; project(a; t))"},
      {"SELECT a FROM t ORDER BY a SORT BY b",
       "UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES"},
  });
}

TEST(QueryParserTest, ReadsCommonTables) {
  ExpectQueryPlans({
      {"WITH a AS (SELECT 1), b (x) AS (SELECT 2) SELECT * FROM a, b",
       "with(a=project(1; ()) b/x=project(2; ()); project(*; join(a, b)))"},
      {"WITH RECURSIVE r(n) MAX RECURSION LEVEL 5 AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
       "TABLE r",
       "with(recursive r/n=union all(project(1; ()), project((n + 1); r)); r)"},
      {"SELECT * FROM (WITH a AS (SELECT 1) TABLE a) b",
       "project(*; as(b; with(a=project(1; ()); a)))"},
      {"WITH a AS (SELECT 1), a AS (SELECT 2) TABLE a", "DUPLICATED_CTE_NAMES"},
  });
}

TEST(QueryParserTest, ReadsQueriesThatDoNotBeginWithSelect) {
  ExpectQueryPlans({
      {"FROM t SELECT a WHERE b", "project(a; filter(b; t))"},
      {"FROM t", "t"},
      {"TABLE s.t", "s.t"},
      {"VALUES (1, 'a'), (2, NULL) AS v(x, y)", "as(v/x,y; values (1, 'a') (2, null))"},
      {"VALUES 1, (2), struct(3, 4)", "values (1) (2) (3, 4)"},
      {"VALUES (1) + 2, ((SELECT 3))", "values ((1 + 2)) ({project(3; ())})"},
      {"((SELECT 1))", "project(1; ())"},
  });
}

TEST(QueryParserTest, ReadsGroupings) {
  ExpectQueryPlans({
      {"SELECT a FROM t GROUP BY ALL", "aggregate(ALL | a; t)"},
      {"SELECT a FROM t GROUP BY a, b WITH ROLLUP", "aggregate(rollup a, b | a; t)"},
      {"SELECT a FROM t GROUP BY CUBE (a, b)", "aggregate(cube a, b | a; t)"},
      {"SELECT a FROM t GROUP BY ROLLUP ((a, b), c)",
       "aggregate(sets a, b, c {a, b, c} {a, b} {} | a; t)"},
      {"SELECT a FROM t GROUP BY a, CUBE (b)", "aggregate(sets a, b {a, b} {a} | a; t)"},
      {"SELECT a FROM t GROUP BY a, b GROUPING SETS ((a, b), a, ())",
       "aggregate(sets a, b {a, b} {a} {} | a; t)"},
      {"SELECT a FROM t GROUP BY GROUPING SETS (a, ROLLUP (b))",
       "aggregate(sets a, b {a} {b} {} | a; t)"},
      {"SELECT a FROM t GROUP BY (a, b)", "aggregate(struct(a, b) | a; t)"},
  });
}

TEST(QueryParserTest, ReadsPipeOperators) {
  ExpectQueryPlans({
      {"FROM t |> WHERE a |> SELECT b |> AS u", "as(u; project(b; filter(a; t)))"},
      {"TABLE t |> EXTEND a + 1 AS b |> SET c = 2, d = 3 |> DROP e, f",
       "project(* -e -f; project(* d:=3; project(* c:=2; project(*, (a + 1) AS b; t))))"},
      {"FROM t |> AGGREGATE sum(a) AS s GROUP BY b AS g, c",
       "aggregate(b, c | b AS g, c, sum(a) AS s; t)"},
      {"FROM t |> AGGREGATE count(*)", "aggregate( | count(*); t)"},
      {"FROM t |> ORDER BY a |> LIMIT 1", "limit(1,-; sort(a; t))"},
      {"FROM t |> JOIN u USING (a) |> UNION ALL TABLE v", "union all(join(t, u USING a), v)"},
      {"SELECT 1 UNION SELECT 2 |> LIMIT 1", "limit(1,-; union(project(1; ()), project(2; ())))"},
      {"FROM t |> 1", "PARSE_SYNTAX_ERROR"},
  });
}

TEST(QueryParserTest, ReadsNamedWindowsBehindASetOperation) {
  EXPECT_EQ(QueryPlan("SELECT sum(a) OVER w FROM t WINDOW w AS (PARTITION BY b), v AS (w)"),
            "windows(w=( PARTITION b) v=(w); project(sum(a) OVER (w); t))");
  EXPECT_EQ(QueryPlan("SELECT 1 WINDOW w AS (), w AS ()"),
            "INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION");
}

}  // namespace
}  // namespace merganser
