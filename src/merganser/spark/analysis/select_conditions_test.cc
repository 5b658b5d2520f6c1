#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

/// The condition of the HAVING, as SQL.
std::string HavingOf(const Result<BoundRelationPtr>& bound) {
  if (!bound.ok()) return bound.error().full_name();
  const BoundRelation* relation = bound->get();
  while (relation->As<BoundProject>() != nullptr)
    relation = relation->As<BoundProject>()->child.get();
  const auto* filter = relation->As<BoundFilter>();
  return filter == nullptr ? "no filter" : GeneratedName(*filter->condition);
}

TEST(SelectConditionsTest, HavingUsesAggregatesThatTheListLeavesOut) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g FROM t GROUP BY g HAVING max(a) > 1 AND count(*) > 0"), "g string");
  EXPECT_EQ(q.Columns("SELECT 1 FROM u HAVING count(*) > 0"), "1 int!");
  EXPECT_EQ(q.Failure("SELECT a FROM t HAVING a > 1"),
            "MISSING_GROUP_BY at 'SELECT a FROM t HAVING a > 1'");
}

TEST(SelectConditionsTest, HavingMeansGroupedColumnsBeforeAliases) {
  QueryAnalysis q;
  // `a` is grouped, so it is the column and not the alias of sum(b).
  EXPECT_EQ(HavingOf(q.Bind("SELECT a AS b, sum(b) AS a FROM t GROUP BY a HAVING a = 1")),
            "(a = 1)");
  // Here it is not, so it is the alias.
  EXPECT_EQ(HavingOf(q.Bind("SELECT g, sum(a) AS a FROM t GROUP BY g HAVING a > 0")),
            "(sum(a) > 0)");
  EXPECT_EQ(HavingOf(q.Bind("SELECT sum(a) AS a FROM t HAVING sum(a) > 0")), "(sum(a) > 0)");
}

TEST(SelectConditionsTest, HavingKnowsWhatAGroupHas) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT g FROM t GROUP BY g HAVING a > 1", "proposal"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION `g` at 'a'");
  EXPECT_EQ(q.Columns("SELECT g FROM t GROUP BY g HAVING row_number() OVER (ORDER BY g) > 1"),
            "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE");
  EXPECT_EQ(q.Columns("SELECT g FROM t GROUP BY g HAVING max(g)"), "g string");
}

TEST(SelectConditionsTest, QualifyFiltersByWindowFunctions) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a FROM t QUALIFY row_number() OVER (ORDER BY b) = 1"), "a int");
  EXPECT_EQ(q.Columns("SELECT a, row_number() OVER (ORDER BY b) AS rn FROM t QUALIFY rn = 1"),
            "a int, rn int!");
  EXPECT_EQ(q.Columns("SELECT g, rank() OVER (ORDER BY sum(a)) r FROM t GROUP BY g QUALIFY r = 1"),
            "g string, r int!");
  EXPECT_EQ(q.Columns("SELECT a FROM t QUALIFY a = 1"), "QUALIFY_REQUIRES_WINDOW_FUNCTION");
  EXPECT_EQ(q.Columns("SELECT a FROM t QUALIFY sum(a) > 1"), "QUALIFY_AGGREGATE_NOT_ALLOWED");
}

TEST(SelectConditionsTest, WhereFiltersRows) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT a FROM t WHERE sum(a) > 1", "expressionList"),
            "INVALID_WHERE_CONDITION sum(spark_catalog.default.t.a) at 'SELECT a FROM t WHERE "
            "sum(a) > 1'");
  EXPECT_EQ(q.Columns("SELECT a FROM t WHERE row_number() OVER (ORDER BY a) > 1"),
            "WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE");
  EXPECT_EQ(q.Failure("SELECT 1 WHERE 'a'", "type"),
            "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN \"STRING\" at 'SELECT 1 WHERE 'a''");
  EXPECT_EQ(q.Columns("SELECT k FROM u WHERE rand() < 2"), "k int");
}

}  // namespace
}  // namespace merganser
