#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(SubqueryBindingTest, SubqueriesAreNamedByWhatTheyTakeFromOutside) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT (SELECT max(k) FROM u) FROM t"), "scalarsubquery() int");
  EXPECT_EQ(q.Columns("SELECT (SELECT max(k) FROM u WHERE u.a = t.a AND k > b) FROM t"),
            "scalarsubquery(a, b) int");
  EXPECT_EQ(q.Columns("SELECT (SELECT t.a + u.a FROM t JOIN u x ON x.k = u.k) FROM u"),
            "scalarsubquery(a, k) int");
  EXPECT_EQ(q.Columns("SELECT EXISTS (SELECT 1 FROM u WHERE u.k = t.a) FROM t"),
            "exists(a) boolean!");
  EXPECT_EQ(q.Columns("SELECT a IN (SELECT k FROM u) FROM t"), "(a IN (listquery())) boolean");
}

TEST(SubqueryBindingTest, InnerNamesHideOuterOnes) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT k FROM u WHERE EXISTS (SELECT 1 FROM t WHERE a > 1)");
  ASSERT_TRUE(bound.ok());
  const auto* filter = (*bound)->As<BoundProject>()->child->As<BoundFilter>();
  ASSERT_NE(filter, nullptr);
  EXPECT_TRUE(filter->condition->As<BoundSubquery>()->outer.empty());
}

TEST(SubqueryBindingTest, OuterColumnsAreKnownToAllQueriesBetween) {
  QueryAnalysis q;
  const auto bound = q.Bind(
      "SELECT g FROM t WHERE a = (SELECT max(k) FROM u WHERE EXISTS (SELECT 1 FROM u v WHERE v.k = "
      "t.a))");
  ASSERT_TRUE(bound.ok());
  const auto* filter = (*bound)->As<BoundProject>()->child->As<BoundFilter>();
  ASSERT_NE(filter, nullptr);
  std::vector<ColumnId> used;
  CollectColumns(*filter->condition, used);
  EXPECT_EQ(used.size(), 1U);
}

TEST(SubqueryBindingTest, ScalarSubqueriesHaveOneColumn) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT (SELECT 1, 2)", "number"),
            "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN 2 at "
            "'(SELECT 1, 2)'");
}

TEST(SubqueryBindingTest, InComparesColumnByColumn) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT g FROM t WHERE (a, b) IN (SELECT k, a FROM u)"), "g string");
  EXPECT_EQ(
      q.Failure("SELECT g FROM t WHERE a IN (SELECT k, a FROM u)", "rightColumns"),
      "DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH \"k\", \"a\" at 'IN (SELECT k, a FROM u)'");
  EXPECT_EQ(q.Columns("SELECT g FROM t WHERE a IN (SELECT array(1) FROM u)"),
            "DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH");
}

TEST(SubqueryBindingTest, InCastsBothSidesToTheirCommonType) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT k FROM u WHERE k IN (SELECT 5L)");
  ASSERT_TRUE(bound.ok());
  const auto* subquery =
      (*bound)->As<BoundProject>()->child->As<BoundFilter>()->condition->As<BoundSubquery>();
  ASSERT_NE(subquery, nullptr);
  EXPECT_EQ(subquery->values[0]->type, DataType::Long());
  EXPECT_EQ(subquery->query->columns[0].type, DataType::Long());
}

TEST(SubqueryBindingTest, OuterColumnsBelongInConditions) {
  QueryAnalysis q;
  const std::string refused = "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE";
  EXPECT_EQ(q.Columns("SELECT (SELECT a FROM t ORDER BY u.k LIMIT 1) FROM u"), refused);
  EXPECT_EQ(q.Columns("SELECT (SELECT count(*) FROM t GROUP BY u.k) FROM u"), refused);
  EXPECT_EQ(q.Columns("SELECT (SELECT max(t.a) FROM u) FROM t"), refused);
  EXPECT_EQ(q.Columns("SELECT k FROM u WHERE EXISTS (SELECT k, sum(a) FROM t)"), refused);
  EXPECT_EQ(
      q.Columns("SELECT (SELECT sum(t.a + u.a) FROM t) FROM u"),
      "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.AGGREGATE_FUNCTION_MIXED_OUTER_LOCAL_REFERENCES");
  EXPECT_EQ(q.Columns("SELECT (SELECT u.k) FROM u"), "scalarsubquery(k) int");
}

TEST(SubqueryBindingTest, LambdasHaveNoSubqueries) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT transform(array(1), x -> (SELECT x))"),
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.HIGHER_ORDER_FUNCTION");
}

TEST(SubqueryBindingTest, LambdaParametersHideColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT transform(array('x'), a -> a) AS r FROM t"), "r array<string>!");
  EXPECT_EQ(q.Columns("SELECT transform(array(1), x -> x + t.a) AS r FROM t"), "r array<int>!");
  EXPECT_EQ(q.Columns("SELECT transform(array(1), (x, x) -> x)"),
            "INVALID_LAMBDA_FUNCTION_CALL.DUPLICATE_ARG_NAMES");
  EXPECT_EQ(q.Columns("SELECT transform(array(1), (x, y, z) -> x)"),
            "INVALID_LAMBDA_FUNCTION_CALL.NUM_ARGS_MISMATCH");
}

}  // namespace
}  // namespace merganser
