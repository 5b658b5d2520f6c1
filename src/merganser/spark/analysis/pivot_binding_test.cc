#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

std::string Pivot(QueryAnalysis& q, const std::string& clause) {
  return q.Columns("SELECT * FROM (SELECT g, a, b FROM t) " + clause);
}

TEST(PivotBindingTest, ValuesBecomeColumns) {
  QueryAnalysis q;
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) FOR a IN (1, 2))"), "g string, 1 bigint, 2 bigint");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) AS sb, max(b) FOR a IN (1 AS one, 2))"),
            "g string, one_sb bigint, one_max(b) int, 2_sb bigint, 2_max(b) int");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) FOR (a, g) IN ((1, 'u') AS x, (2, 'v')))"),
            "x bigint, {2, v} bigint");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b + a) FOR g IN ('u', 'x y')) p"), "u bigint, x y bigint");
}

TEST(PivotBindingTest, AValueWithoutRowsIsNull) {
  QueryAnalysis q;
  EXPECT_EQ(Pivot(q, "PIVOT (count(*) FOR a IN (1, NULL))"),
            "g string, b int, 1 bigint, null bigint");
}

TEST(PivotBindingTest, PivotTakesAggregatesAndConstants) {
  QueryAnalysis q;
  EXPECT_EQ(Pivot(q, "PIVOT (b FOR a IN (1))"), "_LEGACY_ERROR_TEMP_1006");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) FOR a IN (a))"), "NON_LITERAL_PIVOT_VALUES");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) FOR nope IN (1))"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(Pivot(q, "PIVOT (sum(b) FOR a IN (array(1)))"), "PIVOT_VALUE_DATA_TYPE_MISMATCH");
}

TEST(PivotBindingTest, ColumnsBecomeRows) {
  QueryAnalysis q;
  EXPECT_EQ(Pivot(q, "UNPIVOT (v FOR n IN (a AS x, b))"), "g string, n string!, v int");
  EXPECT_EQ(Pivot(q, "UNPIVOT INCLUDE NULLS ((v, w) FOR n IN ((a, b), (b, a)))"),
            "g string, n string!, v int, w int");
  EXPECT_EQ(Pivot(q, "UNPIVOT (v FOR n IN (a, g))"), "UNPIVOT_VALUE_DATA_TYPE_MISMATCH");
  EXPECT_EQ(Pivot(q, "UNPIVOT ((v, w) FOR n IN ((a, b), (b)))"), "UNPIVOT_VALUE_SIZE_MISMATCH");
  EXPECT_EQ(Pivot(q, "UNPIVOT (v FOR n IN (nope))"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(PivotBindingTest, UnpivotLeavesOutNullsUnlessAsked) {
  QueryAnalysis q;
  const auto without = q.Bind("SELECT * FROM (SELECT g, a, b FROM t) UNPIVOT (v FOR n IN (a, b))");
  ASSERT_TRUE(without.ok());
  EXPECT_NE((*without)->As<BoundProject>()->child->As<BoundFilter>(), nullptr);
  const auto with =
      q.Bind("SELECT * FROM (SELECT g, a, b FROM t) UNPIVOT INCLUDE NULLS (v FOR n IN (a, b))");
  ASSERT_TRUE(with.ok());
  EXPECT_NE((*with)->As<BoundProject>()->child->As<BoundGenerate>(), nullptr);
}

}  // namespace
}  // namespace merganser
