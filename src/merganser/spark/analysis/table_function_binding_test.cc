#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(TableFunctionBindingTest, RangeCountsFromStartToEnd) {
  QueryAnalysis q;
  const auto range = [&](const std::string& arguments) {
    const auto bound = q.Bind("SELECT * FROM range(" + arguments + ")");
    if (!bound.ok()) return bound.error().full_name();
    const auto* project = (*bound)->As<BoundProject>();
    const auto& node = *project->child->As<BoundRange>();
    return std::to_string(node.start) + " " + std::to_string(node.end) + " " +
           std::to_string(node.step);
  };
  EXPECT_EQ(range("3"), "0 3 1");
  EXPECT_EQ(range("1, 3L"), "1 3 1");
  EXPECT_EQ(range("10, 1, -2, 4"), "10 1 -2");
  EXPECT_EQ(range("1, 3, 0"), "FAILED_FUNCTION_CALL");
  EXPECT_EQ(range("NULL"), "UNEXPECTED_INPUT_TYPE");
  EXPECT_EQ(range(""), "WRONG_NUM_ARGS.WITHOUT_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT r.x FROM range(3) AS r(x)"), "x bigint!");
  EXPECT_EQ(q.Columns("SELECT range(1)"), "NOT_A_SCALAR_FUNCTION");
}

TEST(TableFunctionBindingTest, GeneratorsStandInFrom) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * FROM explode(array(1,2)) AS t(x)"), "x int!");
  EXPECT_EQ(q.Columns("SELECT p.pos, col FROM posexplode(array('a')) p"), "pos int!, col string!");
  EXPECT_EQ(q.Columns("SELECT * FROM inline(array(struct(1, 'a')))"), "col1 int!, col2 string!");
  EXPECT_EQ(q.Columns("SELECT * FROM nope(3)"), "UNRESOLVABLE_TABLE_VALUED_FUNCTION");
  EXPECT_EQ(q.Columns("SELECT * FROM abs(3)"), "NOT_A_TABLE_FUNCTION");
}

TEST(TableFunctionBindingTest, LateralViewsAddColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g, x, v FROM t LATERAL VIEW explode(arr) e AS x LATERAL VIEW "
                      "explode(m) f AS k, v"),
            "g string, x struct<p:int>, v int");
  EXPECT_EQ(q.Columns("SELECT e.col FROM t LATERAL VIEW explode(arr) e"), "col struct<p:int>");
  EXPECT_EQ(q.Columns("SELECT x FROM u LATERAL VIEW OUTER explode(array(1)) e AS x"), "x int");
  EXPECT_EQ(q.Columns("SELECT * FROM t LATERAL VIEW explode(arr) e AS x, y"),
            "UDTF_ALIAS_NUMBER_MISMATCH");
  EXPECT_EQ(q.Columns("SELECT * FROM t LATERAL VIEW abs(a) e AS x"),
            "UNSUPPORTED_GENERATOR.NOT_GENERATOR");
  EXPECT_EQ(q.Columns("SELECT * FROM t LATERAL VIEW nope(a) e AS x"), "ROUTINE_NOT_FOUND");
}

}  // namespace
}  // namespace merganser
