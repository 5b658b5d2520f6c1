#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

plan::Join JoinOf(plan::RelationPtr left, plan::RelationPtr right) {
  plan::Join join;
  join.left = std::move(left);
  join.right = std::move(right);
  return join;
}

TEST(NameResolutionTest, NamesKeepTheSpellingOfTheQuery) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT A, S.X, t.S.Y FROM t"), "A int, X int, Y string");
}

TEST(NameResolutionTest, ColumnsGoByTableSchemaAndCatalogue) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT default.t.a, spark_catalog.default.t.b FROM t"), "a int, b int");
  EXPECT_EQ(q.Columns("SELECT t.a FROM t x"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(NameResolutionTest, AnAliasWithAStructColumnOfItsNameMeansTheTableFirst) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT a.b FROM VALUES (named_struct('b', 'x'), 2) AS a(a, b)"), "b int!");
  EXPECT_EQ(q.Columns("SELECT a.a.b FROM VALUES (named_struct('b', 'x'), 2) AS a(a, b)"),
            "b string!");
}

TEST(NameResolutionTest, FieldsOfArraysAndMapsAreReachedByName) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT arr.p, m.k FROM t"), "p array<int>, k int");
}

TEST(NameResolutionTest, UnknownNamesGetSuggestions) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT nope FROM t", "proposal"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION `a`, `b`, `g`, `m`, `s` at 'nope'");
  EXPECT_EQ(
      q.Failure("SELECT zz.a FROM t", "proposal"),
      "UNRESOLVED_COLUMN.WITH_SUGGESTION `t`.`a`, `t`.`b`, `t`.`g`, `t`.`m`, `t`.`s` at 'zz.a'");
  EXPECT_EQ(q.Failure("SELECT nope", "objectName"),
            "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION `nope` at 'nope'");
}

TEST(NameResolutionTest, UnknownFieldsAreNoUnknownColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT t.s.nope FROM t", "fields"),
            "FIELD_NOT_FOUND `x`, `y` at 't.s.nope'");
  EXPECT_EQ(q.Columns("SELECT a.b FROM t"), "INVALID_EXTRACT_BASE_FIELD_TYPE");
}

TEST(NameResolutionTest, ANameOfTwoColumnsIsAmbiguous) {
  QueryAnalysis q;
  EXPECT_EQ(q.Failure("SELECT x FROM VALUES (1) AS a(x), VALUES (1) AS b(x)", "referenceNames"),
            "AMBIGUOUS_REFERENCE [`a`.`x`, `b`.`x`] at 'x'");
  EXPECT_EQ(q.Columns("SELECT a FROM (SELECT a, a FROM t)"), "a int");
}

TEST(NameResolutionTest, CaseCountsIfAsked) {
  QueryAnalysis q;
  q.typing().case_sensitive = true;
  EXPECT_EQ(q.Columns("SELECT A FROM t"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT T.a FROM t"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT x FROM VALUES (1, 'b') AS v(x, X)"), "x int!");
}

TEST(NameResolutionTest, SomeFunctionsNeedNoParentheses) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT current_date, current_user"),
            "current_date() date!, current_user() string!");
  EXPECT_EQ(q.Columns("SELECT current_date FROM VALUES (1) AS v(current_date)"),
            "current_date int!");
  EXPECT_EQ(q.Columns("SELECT current_schema FROM VALUES (1) AS v(x)"),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(NameResolutionTest, ParametersStandForTheirValues) {
  QueryAnalysis q;
  q.parameters().named["n"] = plan::MakeExpression(plan::Literal{DataType::Long(), int64_t{3}});
  q.parameters().positional = {
      plan::MakeExpression(plan::Literal{DataType::String(), std::string("x")})};
  EXPECT_EQ(q.Columns("SELECT :n AS a, ? AS b"), "a bigint!, b string!");
  EXPECT_EQ(q.Failure("SELECT :other", "name"), "UNBOUND_SQL_PARAMETER other at ':other'");
}

TEST(NameResolutionTest, IdentifierClauseNamesTablesAndColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT IDENTIFIER('a') FROM IDENTIFIER('default.t')"), "a int");
  EXPECT_EQ(q.Columns("SELECT * FROM IDENTIFIER(a)"), "NOT_A_CONSTANT_STRING.NOT_CONSTANT");
  EXPECT_EQ(q.Columns("SELECT * FROM IDENTIFIER(1)"), "NOT_A_CONSTANT_STRING.WRONG_TYPE");
  EXPECT_EQ(q.Columns("SELECT * FROM IDENTIFIER(CAST(NULL AS STRING))"),
            "NOT_A_CONSTANT_STRING.NULL");
}

/// `relation` under a Spark Connect plan id.
plan::RelationPtr WithPlanId(const plan::RelationPtr& relation, int64_t plan_id) {
  plan::Relation copy = *relation;
  copy.plan_id = plan_id;
  return std::make_shared<const plan::Relation>(std::move(copy));
}

plan::RelationPtr Table(const std::string& name, int64_t plan_id) {
  return WithPlanId(plan::MakeRelation(plan::TableReference{
                        .name = {{name}, nullptr, {}}, .time_travel = {}, .options = {}}),
                    plan_id);
}

plan::ExpressionPtr ColumnOf(int64_t plan_id, const std::string& name) {
  return plan::MakeExpression(plan::Attribute{{name}, plan_id});
}

TEST(NameResolutionTest, ColumnsOfADataFrameAreFoundByItsPlan) {
  QueryAnalysis q;
  const plan::RelationPtr join = plan::MakeRelation(JoinOf(Table("t", 1), Table("u", 2)));
  EXPECT_EQ(q.Columns(q.Bind(
                plan::MakeRelation(plan::Project{join, {ColumnOf(2, "a"), ColumnOf(1, "a")}}))),
            "a int, a int");
  EXPECT_EQ(q.Columns(q.Bind(plan::MakeRelation(plan::Project{join, {ColumnOf(3, "a")}}))),
            "CANNOT_RESOLVE_DATAFRAME_COLUMN");
}

TEST(NameResolutionTest, ADataFrameJoinedWithItselfHasNoColumnsOfItsOwn) {
  QueryAnalysis q;
  const plan::RelationPtr join = plan::MakeRelation(JoinOf(Table("t", 1), Table("t", 1)));
  EXPECT_EQ(q.Columns(q.Bind(plan::MakeRelation(plan::Project{join, {ColumnOf(1, "a")}}))),
            "AMBIGUOUS_COLUMN_REFERENCE");
}

TEST(NameResolutionTest, FiltersOfADataFrameReachBelowItsSelection) {
  QueryAnalysis q;
  const plan::RelationPtr selected = plan::MakeRelation(
      plan::Project{Table("t", 1), {plan::MakeExpression(plan::Attribute{{"a"}, -1})}});
  plan::Call greater;
  greater.name = {">"};
  greater.arguments = {ColumnOf(1, "b"),
                       plan::MakeExpression(plan::Literal{DataType::Integer(), int64_t{1}})};
  greater.is_operator = true;
  const plan::RelationPtr filter =
      plan::MakeRelation(plan::Filter{selected, plan::MakeExpression(greater)});
  EXPECT_EQ(q.Columns(q.Bind(filter)), "a int");
}

}  // namespace
}  // namespace merganser
