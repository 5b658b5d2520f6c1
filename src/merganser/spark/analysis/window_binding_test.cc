#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(WindowBindingTest, EachKindOfFunctionHasItsOwnFrame) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER () FROM t"),
            "sum(a) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) bigint");
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER (ORDER BY b) FROM t"),
            "sum(a) OVER (ORDER BY b ASC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT "
            "ROW) bigint");
  EXPECT_EQ(q.Columns("SELECT rank() OVER (ORDER BY b) FROM t"),
            "RANK() OVER (ORDER BY b ASC NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT "
            "ROW) int!");
  EXPECT_EQ(q.Columns("SELECT lag(a) OVER (ORDER BY b) FROM t"),
            "lag(a, 1, NULL) OVER (ORDER BY b ASC NULLS FIRST ROWS BETWEEN -1 FOLLOWING AND -1 "
            "FOLLOWING) int");
}

TEST(WindowBindingTest, FramesAreKeptAsWritten) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER (ORDER BY b ROWS 2 PRECEDING) AS s FROM t"), "s bigint");
  EXPECT_EQ(
      q.Columns("SELECT sum(a) OVER (ORDER BY a RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM t"),
      "sum(a) OVER (ORDER BY a ASC NULLS FIRST RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) bigint");
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER (ORDER BY CAST(a AS BIGINT) RANGE BETWEEN 1 PRECEDING "
                      "AND 1 FOLLOWING) FROM t"),
            "sum(a) OVER (ORDER BY CAST(a AS BIGINT) ASC NULLS FIRST RANGE BETWEEN (- 1) FOLLOWING "
            "AND 1 FOLLOWING) bigint");
}

TEST(WindowBindingTest, FramesAreChecked) {
  QueryAnalysis q;
  const auto frame = [&](const std::string& spec) {
    return q.Columns("SELECT sum(a) OVER (" + spec + ") FROM t");
  };
  EXPECT_EQ(frame("RANGE BETWEEN 1 PRECEDING AND CURRENT ROW"),
            "DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER");
  EXPECT_EQ(frame("ORDER BY a, b RANGE BETWEEN 1 PRECEDING AND CURRENT ROW"),
            "DATATYPE_MISMATCH.RANGE_FRAME_MULTI_ORDER");
  EXPECT_EQ(frame("ORDER BY g RANGE BETWEEN 1 PRECEDING AND CURRENT ROW"),
            "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE");
  EXPECT_EQ(frame("ORDER BY a ROWS BETWEEN 1L PRECEDING AND CURRENT ROW"),
            "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE");
  EXPECT_EQ(frame("ORDER BY a ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING"),
            "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON");
  EXPECT_EQ(frame("ORDER BY a ROWS BETWEEN CURRENT ROW AND UNBOUNDED PRECEDING"),
            "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_INVALID_BOUND");
  EXPECT_EQ(frame("ORDER BY DATE'2020-01-01' RANGE BETWEEN 1L PRECEDING AND CURRENT ROW"),
            "DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE");
  EXPECT_EQ(frame("ORDER BY a ROWS BETWEEN b PRECEDING AND CURRENT ROW"),
            "_LEGACY_ERROR_TEMP_0064");
  EXPECT_EQ(
      q.Columns(
          "SELECT row_number() OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t"),
      "_LEGACY_ERROR_TEMP_1036");
  EXPECT_EQ(
      q.Columns("SELECT lag(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t"),
      "_LEGACY_ERROR_TEMP_1035");
}

TEST(WindowBindingTest, WindowFunctionsNeedOverAndRankingNeedsAnOrder) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT row_number() FROM t"), "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE");
  EXPECT_EQ(q.Columns("SELECT abs(a) OVER () FROM t"), "UNSUPPORTED_EXPR_FOR_WINDOW");
  EXPECT_EQ(q.Failure("SELECT rank() OVER () FROM t", "wf_name"),
            "WINDOW_FUNCTION_FRAME_NOT_ORDERED rank at 'rank() OVER ()'");
  EXPECT_EQ(q.Columns("SELECT count(DISTINCT a) OVER () FROM t"),
            "DISTINCT_WINDOW_FUNCTION_UNSUPPORTED");
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER (PARTITION BY m) FROM t"),
            "EXPRESSION_TYPE_IS_NOT_ORDERABLE");
}

TEST(WindowBindingTest, WindowsMayHaveNames) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER w AS x, min(b) OVER (w) AS y FROM t WINDOW w AS "
                      "(PARTITION BY g) ORDER BY x"),
            "x bigint, y int");
  EXPECT_EQ(q.Columns("SELECT sum(a) OVER w2 AS x FROM t WINDOW w AS (ORDER BY b), w2 AS w"),
            "x bigint");
  EXPECT_EQ(q.Failure("SELECT sum(a) OVER nope FROM t", "windowName"),
            "MISSING_WINDOW_SPECIFICATION nope at 'sum(a) OVER nope'");
}

TEST(WindowBindingTest, WindowsStandAboveGroups) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g, sum(sum(a)) OVER (PARTITION BY g) AS s FROM t GROUP BY g"),
            "g string, s bigint");
  EXPECT_EQ(q.Columns("SELECT rank() OVER (PARTITION BY grouping(g) ORDER BY sum(a)) AS r FROM t "
                      "GROUP BY ROLLUP(g)"),
            "r int!");
  EXPECT_EQ(q.Columns("SELECT g, sum(b) OVER (PARTITION BY g) FROM t GROUP BY g"),
            "MISSING_AGGREGATION");
  EXPECT_EQ(q.Columns("SELECT max(sum(a) OVER ()) FROM t"), "_LEGACY_ERROR_TEMP_1031");
}

TEST(WindowBindingTest, AWindowInsideAWindowIsComputedBelow) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT sum(row_number() OVER (ORDER BY a)) OVER () AS s FROM t");
  ASSERT_TRUE(bound.ok());
  const auto* upper = (*bound)->As<BoundProject>();
  ASSERT_NE(upper, nullptr);
  const auto* lower = upper->child->As<BoundProject>();
  ASSERT_NE(lower, nullptr);
  EXPECT_NE(lower->outputs.back().expression->As<BoundWindow>(), nullptr);
}

}  // namespace
}  // namespace merganser
