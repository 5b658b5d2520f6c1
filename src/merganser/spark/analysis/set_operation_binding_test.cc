#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(SetOperationBindingTest, ColumnsAreTheLeftOnesInTheCommonType) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT 1 AS x UNION ALL SELECT 2.5"), "x decimal(11,1)!");
  EXPECT_EQ(q.Columns("SELECT NULL AS x UNION SELECT 1"), "x int");
  EXPECT_EQ(q.Columns("SELECT k FROM u INTERSECT SELECT 1"), "k int!");
  EXPECT_EQ(q.Columns("SELECT 1 EXCEPT SELECT k FROM u"), "1 int!");
  EXPECT_EQ(q.Columns("SELECT k FROM u UNION SELECT a FROM t ORDER BY u.k"), "k int");
}

TEST(SetOperationBindingTest, BothSidesHaveColumnsOfTheSameKind) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT a FROM t UNION SELECT a, b FROM t", "invalidNumColumns"),
            "NUM_COLUMNS_MISMATCH 2 at 'SELECT a FROM t UNION SELECT a, b FROM t'");
  EXPECT_EQ(q.Failure("SELECT a FROM t INTERSECT SELECT arr FROM t", "dataType1"),
            "INCOMPATIBLE_COLUMN_TYPE \"ARRAY<STRUCT<p: INT>>\" at 'SELECT a FROM t INTERSECT "
            "SELECT arr FROM t'");
  EXPECT_EQ(q.Columns("SELECT m FROM t UNION SELECT m FROM t"),
            "UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE");
  EXPECT_EQ(q.Columns("SELECT m FROM t UNION ALL SELECT m FROM t"), "m map<string,int>");
}

plan::RelationPtr ByName(const char* left, const char* right, bool allow_missing) {
  return plan::MakeRelation(plan::SetOperation{.left = *ParseStatement(left).value().query(),
                                               .right = *ParseStatement(right).value().query(),
                                               .op = plan::SetOperator::kUnion,
                                               .all = true,
                                               .by_name = true,
                                               .allow_missing_columns = allow_missing});
}

TEST(SetOperationBindingTest, UnionByNameMatchesNames) {
  QueryAnalysis q;
  const auto bound = q.Bind(ByName("SELECT 1 AS a, 'x' AS b", "SELECT 'y' AS B, 2L AS a", false));
  EXPECT_EQ(q.Columns(bound), "a bigint!, b string!");
  EXPECT_EQ(q.Columns(q.Bind(ByName("SELECT 1 AS a, 2 AS b", "SELECT 1 AS a, 2 AS c", false))),
            "UNRESOLVED_COLUMN_AMONG_FIELD_NAMES");
  EXPECT_EQ(q.Columns(q.Bind(ByName("SELECT 1 AS a, 2 AS b", "SELECT 3 AS c, 4 AS b", true))),
            "a int, b int!, c int");
}

TEST(SetOperationBindingTest, InlineTablesHaveOneTypeAColumn) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("VALUES (1, 'a'), (2, NULL)"), "col1 int!, col2 string");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (1), (2.5), (NULL) AS v(x)"), "x decimal(11,1)");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (1L), (1.5f) v(a)"), "a float!");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (1), ('a')"),
            "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (array(1)), (array('a'))"),
            "INVALID_INLINE_TABLE.INCOMPATIBLE_TYPES_IN_INLINE_TABLE");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (1, 'a'), (2)"),
            "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (1, 2) AS v(x)"),
            "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH");
}

TEST(SetOperationBindingTest, InlineTablesAreConstant) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (rand())"),
            "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (sum(1))"),
            "INVALID_INLINE_TABLE.CANNOT_EVALUATE_EXPRESSION_IN_INLINE_TABLE");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES ((SELECT 1))"),
            "UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.SCALAR_SUBQUERY_IN_VALUES");
  EXPECT_EQ(q.Columns("SELECT * FROM VALUES (x)"), "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION");
}

}  // namespace
}  // namespace merganser
