#include "merganser/spark/sql/expression_parser.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

void ExpectExpressionPlans(
    std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(ExpressionPlan(text), expected) << text;
}

TEST(ExpressionParserTest, ReadsNamesAndWhatFollowsThem) {
  ExpectExpressionPlans({
      {"a.b.c", "a.b.c"},
      {"`a.b`.c", "a.b.c"},
      {"(a).b", "a.b"},
      {"a[0].b", "a[0]['b']"},
      {"f(x).y[1]", "f(x)['y'][1]"},
      {"t.* EXCEPT (a, b.c)", "t.* -a -b.c"},
      {"v:a.b[0]", "variant_get(v, '$.a.b[0]', 'variant') AS b"},
      {"(v:a)", "variant_get(v, '$.a', 'variant') AS a"},
      {"v:['a b'].c AS d", "variant_get(v, '$['a b'].c', 'variant') AS d"},
      {"a COLLATE UTF8_BINARY", "collate(a, 'UTF8_BINARY')"},
      {"IDENTIFIER('a.b')", "a.b"},
      {"IDENTIFIER('abs')(x)", "abs(x)"},
      {"IDENTIFIER(:n)", "IDENTIFIER :n"},
      {"?", "?0"},
      {"? + ? + :c", "((?0 + ?1) + :c)"},
      {"a AS (b, c)", "a AS b,c"},
      {"a b", "a AS b"},
      {"\xC3\xA9", "INVALID_IDENTIFIER"},
      {"a AS b-c", "INVALID_IDENTIFIER"},
  });
}

TEST(ExpressionParserTest, TakesKeywordsForNamesWhereTheyAreSome) {
  ExpectExpressionPlans({
      {"select", "select"},
      {"case", "case"},
      {"current_date", "current_date"},
      {"date", "date"},
      {"end + from", "(end + from)"},
      {"left(a, 1)", "left(a, 1)"},
      {"values(1)", "values(1)"},
      {"default", "default"},
      {"filter", "filter"},
  });
}

TEST(ExpressionParserTest, ReadsCaseLambdasAndRows) {
  ExpectExpressionPlans({
      {"CASE WHEN a THEN b END", "when(a, b)"},
      {"CASE x WHEN 1 THEN b WHEN 2 THEN c ELSE d END", "when((x = 1), b, (x = 2), c, d)"},
      {"transform(a, x -> x + 1)", "transform(a, x -> (x + 1))"},
      {"aggregate(a, 0, (x, y) -> x + y)", "aggregate(a, 0, x,y -> (x + y))"},
      {"(1 AS a, b)", "struct(1 AS a, b)"},
      {"(1)", "1"},
      {"((SELECT 1) + 1)", "({project(1; ())} + 1)"},
      {"CASE WHEN a END", "PARSE_SYNTAX_ERROR"},
  });
}

TEST(ExpressionParserTest, ReadsDoubleQuotedNamesAndReservedWordsWhereTheSessionHasThem) {
  ParserOptions options;
  options.double_quoted_identifiers = true;
  EXPECT_EQ(ExpressionPlan("\"a b\".\"c\"", options), "a b.c");
  options.ansi = false;
  EXPECT_EQ(ExpressionPlan("\"a\"", options), "'a'");
  ParserOptions reserved;
  reserved.enforce_reserved_keywords = true;
  EXPECT_EQ(ExpressionPlan("select", reserved), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(ExpressionPlan("`select`", reserved), "select");
  EXPECT_EQ(ExpressionPlan("left(a, 1)", reserved), "left(a, 1)");
}

TEST(ExpressionParserTest, SaysWhereTheSyntaxIsWrong) {
  const auto parsed = ParseExpression("a +\n  * 'x' )");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().full_name(), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(parsed.error().sqlstate(), "42601");
  EXPECT_EQ(parsed.error().parameters().at("error"), "''x''");
  EXPECT_EQ(parsed.error().parameters().at("hint"), "");
  ASSERT_TRUE(parsed.error().context().has_value());
  EXPECT_EQ(parsed.error().context()->line, 2);
  EXPECT_EQ(parsed.error().context()->column, 4);
  EXPECT_EQ(parsed.error().context()->start, 8);
  EXPECT_EQ(parsed.error().context()->stop, 10);
}

TEST(ExpressionParserTest, SaysEndOfInput) {
  const auto parsed = ParseExpression("(1");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().parameters().at("error"), "end of input");
}

TEST(ExpressionParserTest, KnowsWhereExpressionsStand) {
  const auto parsed = ParseExpression("x + \n f(a, 2)");
  ASSERT_TRUE(parsed.ok());
  const auto* sum = (*parsed)->As<plan::Call>();
  EXPECT_EQ((*parsed)->origin.start, 0);
  EXPECT_EQ((*parsed)->origin.stop, 12);
  EXPECT_EQ(sum->arguments[1]->origin.start, 6);
  EXPECT_EQ(sum->arguments[1]->origin.stop, 12);
  EXPECT_EQ(sum->arguments[1]->origin.line, 2);
  EXPECT_EQ(sum->arguments[1]->origin.column, 1);
}

}  // namespace
}  // namespace merganser
