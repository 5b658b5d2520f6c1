#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

plan::RelationPtr FrameOf(const std::string& sql) { return *ParseStatement(sql)->query(); }

plan::ExpressionPtr Parsed(const std::string& text) { return ParseExpression(text).value(); }

/// Columns of `frame` as "name type, ...", or the name of its error.
template <typename Node>
std::string ColumnsOfFrame(QueryAnalysis& q, Node node) {
  const auto bound = q.Bind(plan::MakeRelation(std::move(node)));
  if (!bound.ok()) return bound.error().full_name();
  std::string text;
  for (const BoundColumn& column : (*bound)->columns)
    text += (text.empty() ? "" : ", ") + column.name + " " + column.type.CatalogString();
  return text;
}

TEST(FrameBindingTest, WithColumnsReplacesInPlaceAndAppends) {
  QueryAnalysis q;
  EXPECT_EQ(
      ColumnsOfFrame(q, plan::WithColumns{FrameOf("SELECT k, a FROM u"),
                                          {{Parsed("k + 1L"), {"K"}}, {Parsed("'x'"), {"n"}}}}),
      "K bigint, a int, n string");
  EXPECT_EQ(ColumnsOfFrame(q, plan::WithColumns{FrameOf("SELECT k, a FROM u"),
                                                {{Parsed("1"), {"n"}}, {Parsed("2"), {"N"}}}}),
            "COLUMN_ALREADY_EXISTS");
  EXPECT_EQ(
      ColumnsOfFrame(q, plan::WithColumns{FrameOf("SELECT k FROM u"),
                                          {{Parsed("row_number() OVER (ORDER BY k)"), {"n"}}}}),
      "k int, n int");
}

TEST(FrameBindingTest, RenamesAndDropsIgnoreWhatIsNotThere) {
  QueryAnalysis q;
  EXPECT_EQ(ColumnsOfFrame(q, plan::WithColumnsRenamed{FrameOf("SELECT k, a FROM u"),
                                                       {{"A", "b"}, {"nope", "x"}, {"b", "c"}}}),
            "k int, c int");
  EXPECT_EQ(ColumnsOfFrame(q, plan::DropColumns{FrameOf("SELECT k, a, z FROM u"),
                                                {"A", "nope"},
                                                {Parsed("z"), Parsed("gone")}}),
            "k int");
}

TEST(FrameBindingTest, ToDataFrameNamesEveryColumn) {
  QueryAnalysis q;
  EXPECT_EQ(ColumnsOfFrame(q, plan::ToDataFrame{FrameOf("SELECT k, a FROM u"), {"x", "x"}}),
            "x int, x int");
  EXPECT_EQ(ColumnsOfFrame(q, plan::ToDataFrame{FrameOf("SELECT k, a FROM u"), {"x"}}),
            "ASSIGNMENT_ARITY_MISMATCH");
}

TEST(FrameBindingTest, ToSchemaFindsColumnsByName) {
  QueryAnalysis q;
  const StructType wanted = ParseTableSchema("z STRING, missing DATE, K BIGINT").value();
  EXPECT_EQ(ColumnsOfFrame(q, plan::ToSchema{FrameOf("SELECT * FROM u"), wanted}),
            "z string, missing date, K bigint");
  EXPECT_EQ(ColumnsOfFrame(
                q, plan::ToSchema{FrameOf("SELECT * FROM u"), ParseTableSchema("z INT").value()}),
            "INVALID_COLUMN_OR_FIELD_DATA_TYPE");
  EXPECT_EQ(ColumnsOfFrame(q, plan::ToSchema{FrameOf("SELECT * FROM u"),
                                             ParseTableSchema("k INT NOT NULL").value()}),
            "NULLABLE_COLUMN_OR_FIELD");
}

TEST(FrameBindingTest, NullsAreFilledWhereTheKindFits) {
  QueryAnalysis q;
  const plan::Literal zero{DataType::Long(), int64_t{0}};
  const auto filled =
      q.Bind(plan::MakeRelation(plan::FillNulls{FrameOf("SELECT k, z FROM u"), {}, {zero}}));
  ASSERT_TRUE(filled.ok()) << filled.error().message();
  EXPECT_FALSE((*filled)->columns[0].nullable);
  EXPECT_TRUE((*filled)->columns[1].nullable);
  EXPECT_EQ(ColumnsOfFrame(q, plan::FillNulls{FrameOf("SELECT k FROM u"), {"nope"}, {zero}}),
            "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(ColumnsOfFrame(q, plan::DropNulls{FrameOf("SELECT k, z FROM u"), {}, 1}),
            "k int, z string");
}

TEST(FrameBindingTest, SummaryTakesNumbersAndText) {
  QueryAnalysis q;
  EXPECT_EQ(ColumnsOfFrame(q, plan::Summary{FrameOf("SELECT k, z, current_date() AS d FROM u"),
                                            {},
                                            {"count", "mean", "min"}}),
            "summary string, k string, z string");
  EXPECT_EQ(ColumnsOfFrame(q, plan::Summary{FrameOf("SELECT k FROM u"), {}, {"mode"}}),
            "INVALID_PARAMETER_VALUE");
}

TEST(FrameBindingTest, StructFieldsAreSetAndDropped) {
  QueryAnalysis q;
  const auto with = [&](plan::UpdateFields update) {
    return ColumnsOfFrame(q, plan::WithColumns{FrameOf("SELECT s FROM t"),
                                               {{plan::MakeExpression(std::move(update)), {"s"}}}});
  };
  EXPECT_EQ(with({Parsed("s"), {"x"}, Parsed("1L")}), "s struct<x:bigint,y:string>");
  EXPECT_EQ(with({Parsed("s"), {"n"}, Parsed("1")}), "s struct<x:int,y:string,n:int>");
  EXPECT_EQ(with({Parsed("s"), {"y"}, nullptr}), "s struct<x:int>");
  EXPECT_EQ(with({Parsed("s"), {"x", "deep"}, Parsed("1")}),
            "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE");
}

TEST(FrameBindingTest, ParametersHoldInsideOfTheirOwnQuery) {
  QueryAnalysis q;
  plan::ParameterValues values;
  values.named["p"] = Parsed("'x'");
  EXPECT_EQ(ColumnsOfFrame(q, plan::Parameterized{FrameOf("SELECT :p AS v"), values}), "v string");
}

}  // namespace
}  // namespace merganser
