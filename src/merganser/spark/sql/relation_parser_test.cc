#include "merganser/spark/sql/relation_parser.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

/// The relation of `FROM text`.
std::string FromPlan(std::string_view text) { return QueryPlan("FROM " + std::string(text)); }

void ExpectRelationPlans(
    std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(FromPlan(text), expected) << text;
}

TEST(RelationParserTest, ReadsNamesAndAliases) {
  ExpectRelationPlans({
      {"a.b.c", "a.b.c"},
      {"delta.`/tmp/t@v1`", "delta./tmp/t@v1"},
      {"t AS u", "as(u; t)"},
      {"t u(x, y)", "as(u/x,y; t)"},
      {"IDENTIFIER('a.b')", "a.b"},
      {"IDENTIFIER(:n) u", "as(u; IDENTIFIER :n)"},
      {"t WITH ('k' = 'v') u", "as(u; t k=v)"},
      {"(SELECT 1)", "as(__auto_generated_subquery_name; project(1; ()))"},
      {"(SELECT 1) u(x)", "as(u/x; project(1; ()))"},
      {"range(10) r", "as(r; range(10))"},
      {"t@v1", "PARSE_SYNTAX_ERROR"},
      {"a-b", "INVALID_IDENTIFIER"},
  });
}

TEST(RelationParserTest, ReadsTimeTravel) {
  ExpectRelationPlans({
      {"t VERSION AS OF 3 u", "as(u; t@v3)"},
      {"t FOR SYSTEM_VERSION AS OF '3'", "t@v'3'"},
      {"t TIMESTAMP AS OF '2020-01-01'", "t@t'2020-01-01'"},
      {"t FOR SYSTEM_TIME AS OF now() - INTERVAL 1 DAY", "t@t(now() - 86400000000:interval day)"},
      {"t timestamp", "as(timestamp; t)"},
  });
}

TEST(RelationParserTest, ReadsJoins) {
  ExpectRelationPlans({
      {"a, b", "join(a, b)"},
      {"a JOIN b ON x = y LEFT JOIN c USING (z)", "left(join(a, b ON (x = y)), c USING z)"},
      {"a LEFT SEMI JOIN b ON x", "semi(a, b ON x)"},
      {"a ANTI JOIN b ON x", "anti(a, b ON x)"},
      {"a FULL OUTER JOIN b ON x", "full(a, b ON x)"},
      {"a NATURAL RIGHT JOIN b", "natural right(a, b)"},
      {"a CROSS JOIN b", "cross(a, b)"},
      {"a, b JOIN c ON x", "join(join(a, b), c ON x)"},
      {"a JOIN (b JOIN c ON x) ON y", "join(a, join(b, c ON x) ON y)"},
      {"(a JOIN b) u", "as(u; join(a, b))"},
      {"((SELECT 1) a JOIN b)", "join(as(a; project(1; ())), b)"},
      {"a, LATERAL (SELECT a.x) s", "lateral join(a, as(s; project(a.x; ())))"},
      {"a LEFT JOIN LATERAL explode(a.x) e ON true",
       "lateral left(a, as(e; explode(a.x)) ON true)"},
      {"a RIGHT JOIN LATERAL (SELECT 1) s", "INVALID_LATERAL_JOIN_TYPE"},
      {"a, LATERAL b", "INVALID_SQL_SYNTAX.LATERAL_WITHOUT_SUBQUERY_OR_TABLE_VALUED_FUNC"},
      {"a LEFT b", "PARSE_SYNTAX_ERROR"},
  });
}

TEST(RelationParserTest, ReadsLateralViews) {
  ExpectRelationPlans({
      {"t LATERAL VIEW explode(a) e AS x", "lateral view(explode(a) e/x; t)"},
      {"t LATERAL VIEW OUTER posexplode(a) e AS p, x",
       "lateral view outer(posexplode(a) e/p,x; t)"},
      {"t LATERAL VIEW explode(a) AS x", "lateral view(explode(a) AS/x; t)"},
      {"t LATERAL VIEW explode(a) e SELECT 1", "project(1; lateral view(explode(a) e/; t))"},
  });
}

TEST(RelationParserTest, ReadsPivotAndUnpivot) {
  ExpectRelationPlans({
      {"t PIVOT (sum(a) AS s, max(b) FOR c IN (1 AS x, 2)) p",
       "as(p; pivot(sum(a) AS s, max(b) FOR c IN 1 AS x, 2; t))"},
      {"t PIVOT (sum(a) FOR (b, c) IN ((1, 2) AS x))",
       "pivot(sum(a) FOR b, c IN struct(1, 2) AS x; t)"},
      {"t UNPIVOT (v FOR n IN (a, b AS c)) u", "as(u; unpivot(v FOR n (a) (b)c; t))"},
      {"t UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b) AS x, (c, d)))",
       "unpivot nulls(v,w FOR n (a, b)x (c, d); t)"},
  });
}

TEST(RelationParserTest, ReadsSamples) {
  ExpectRelationPlans({
      {"t TABLESAMPLE (10 PERCENT) s", "as(s; sample(0.100000; t))"},
      {"t TABLESAMPLE (5 ROWS)", "limit(5,-; t)"},
      {"t TABLESAMPLE (BUCKET 1 OUT OF 4) REPEATABLE (7)", "sample(0.250000; t)"},
      {"t TABLESAMPLE (110 PERCENT)", "_LEGACY_ERROR_TEMP_0064"},
      {"t TABLESAMPLE ()", "_LEGACY_ERROR_TEMP_0014"},
      {"t TABLESAMPLE SYSTEM (10 PERCENT)", "UNSUPPORTED_FEATURE.TABLESAMPLE_SYSTEM"},
  });
}

TEST(RelationParserTest, TakesKeywordsForAliasesWhereTheyAreSome) {
  ExpectRelationPlans({
      {"t order", "as(order; t)"},
      {"t select", "as(select; t)"},
      {"t AS where WHERE", "PARSE_SYNTAX_ERROR"},
      {"t AS left", "PARSE_SYNTAX_ERROR"},
  });
}

}  // namespace
}  // namespace merganser
