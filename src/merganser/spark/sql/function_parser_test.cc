#include "merganser/spark/sql/function_parser.h"

#include <utility>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

void ExpectFunctionPlans(
    std::initializer_list<std::pair<std::string_view, std::string_view>> cases) {
  for (const auto& [text, expected] : cases) EXPECT_EQ(ExpressionPlan(text), expected) << text;
}

TEST(FunctionParserTest, ReadsArgumentsAndTheirNames) {
  ExpectFunctionPlans({
      {"f()", "f()"},
      {"a.b.f(1, x => 2)", "a.b.f(1, x => 2)"},
      {"count(*)", "count(*)"},
      {"count(DISTINCT a, b)", "count(DISTINCT a, b)"},
      {"sum(ALL a)", "sum(a)"},
      {"f(DISTINCT)", "f(DISTINCT)"},
      {"f(a,)", "PARSE_SYNTAX_ERROR"},
  });
}

TEST(FunctionParserTest, ReadsTheClausesBehindACall) {
  ExpectFunctionPlans({
      {"sum(a) FILTER (WHERE b > 1)", "sum(a) FILTER (b > 1)"},
      {"percentile_cont(0.5) WITHIN GROUP (ORDER BY a DESC)",
       "percentile_cont(5:decimal(1,1)) WITHIN a DESC"},
      {"first(a IGNORE NULLS)", "first(a) IGNORE NULLS"},
      {"last_value(a) RESPECT NULLS OVER w", "last_value(a) RESPECT NULLS OVER (w)"},
      {"rank() OVER (PARTITION BY a, b ORDER BY c DESC NULLS LAST)",
       "rank() OVER ( PARTITION a, b ORDER c DESC NULLS LAST)"},
      {"sum(a) OVER (ORDER BY b ROWS BETWEEN 1 PRECEDING AND UNBOUNDED FOLLOWING)",
       "sum(a) OVER ( ORDER b ROWS <1 >>)"},
      {"sum(a) OVER (w)", "sum(a) OVER (w)"},
      {"sum(a) OVER (CLUSTER BY b RANGE CURRENT ROW)", "sum(a) OVER ( PARTITION b RANGE = =)"},
  });
}

TEST(FunctionParserTest, MakesOrdinaryCallsOfThoseWithWordsInside) {
  ExpectFunctionPlans({
      {"extract(year FROM a)", "extract('year', a)"},
      {"substring(a FROM 2 FOR 3)", "substring(a, 2, 3)"},
      {"substr(a, 2)", "substr(a, 2)"},
      {"overlay(a PLACING b FROM 2 FOR 3)", "overlay(a, b, 2, 3)"},
      {"overlay(a, b, 2)", "overlay(a, b, 2)"},
      {"position(a IN b)", "locate(a, b)"},
      {"position(a, b)", "position(a, b)"},
      {"trim(a)", "trim(a)"},
      {"trim(LEADING FROM a)", "ltrim(a)"},
      {"trim(TRAILING 'x' FROM a)", "rtrim('x', a)"},
      {"trim('x' FROM a)", "trim('x', a)"},
      {"trim(both)", "trim(both)"},
      {"dateadd(DAY, 1, a)", "timestampadd('DAY', 1, a)"},
      {"datediff(month, a, b)", "timestampdiff('MONTH', a, b)"},
      {"date_add(a, 1)", "date_add(a, 1)"},
      {"datediff(day, a)", "datediff(day, a)"},
      {"dateadd('DAY', 1, a)", "INVALID_PARAMETER_VALUE.DATETIME_UNIT"},
      {"CAST(a AS DECIMAL(5, 2))", "cast(a AS decimal(5,2))"},
      {"TRY_CAST(a AS array<int>)", "try_cast(a AS array<int>)"},
      {"struct(1 AS a, b)", "struct(1 AS a, b)"},
      {"CAST(1 AS NOTYPE)", "UNSUPPORTED_DATATYPE"},
  });
}

TEST(FunctionParserTest, ReadsNestedCallsInLinearTime) {
  std::string text = "a";
  for (int i = 0; i < 100; ++i) text = "substring(trim(position(" + text + ", b)), 1)";
  EXPECT_NE(ExpressionPlan(text), "PARSE_SYNTAX_ERROR");
}

}  // namespace
}  // namespace merganser
