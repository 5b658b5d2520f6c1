#include <gtest/gtest.h>

#include "merganser/spark/functions/expression_for_test.h"

namespace merganser {
namespace {

BoundExpressionPtr Call(std::string name, std::vector<BoundExpressionPtr> arguments) {
  return CallOf(std::move(name), std::move(arguments)).value();
}

TEST(PrintTest, OperatorsPrintAsSparkNamesThem) {
  const auto a = ColumnOf("a", DataType::Integer());
  EXPECT_EQ(GeneratedName(*Call("+", {a, IntegerOf(1)})), "(a + 1)");
  EXPECT_EQ(GeneratedName(*Call("<>", {a, IntegerOf(1)})), "(NOT (a = 1))");
  EXPECT_EQ(GeneratedName(*Call("in", {a, IntegerOf(1), IntegerOf(2)})), "(a IN (1, 2))");
  EXPECT_EQ(GeneratedName(*Call("isnull", {a})), "(a IS NULL)");
  EXPECT_EQ(GeneratedName(*Call("between", {a, IntegerOf(1), IntegerOf(2)})), "between(a, 1, 2)");
  EXPECT_EQ(GeneratedName(*Call("when", {Call("isnull", {a}), IntegerOf(1), IntegerOf(2)})),
            "CASE WHEN (a IS NULL) THEN 1 ELSE 2 END");
  EXPECT_EQ(GeneratedName(*Call("like", {TextOf("abc"), TextOf("%b%")})), "abc LIKE %b%");
}

TEST(PrintTest, FunctionsShowDefaultsAndTheirOwnNames) {
  EXPECT_EQ(NameOfCall("acos", {IntegerOf(1)}), "ACOS(1)");
  EXPECT_EQ(NameOfCall("ceiling", {IntegerOf(5)}), "ceiling(5)");
  EXPECT_EQ(NameOfCall("ceil", {IntegerOf(5)}), "CEIL(5)");
  EXPECT_EQ(NameOfCall("substring", {TextOf("x"), IntegerOf(5)}), "substring(x, 5, 2147483647)");
  EXPECT_EQ(NameOfCall("array_agg", {ColumnOf("c", DataType::Date())}), "collect_list(c)");
  EXPECT_EQ(NameOfCall("char_length", {TextOf("x")}), "char_length(x)");
  EXPECT_EQ(NameOfCall("string", {DecimalOf(10, 2, 1)}), "1.0");
}

TEST(PrintTest, CastsPrintOnlyWhereWritten) {
  const auto implicit = ImplicitCast(ColumnOf("a", DataType::Integer()), DataType::Long(), {});
  EXPECT_EQ(GeneratedName(*implicit), "a");
  EXPECT_EQ(PrintSql(*implicit), "CAST(a AS BIGINT)");
  const auto nested =
      ResolveCast(NullOf(), DataType::Array(DataType::Integer()), false, {}).value();
  EXPECT_EQ(GeneratedName(*nested), "NULL");
}

TEST(PrintTest, LiteralsPrintByType) {
  EXPECT_EQ(GeneratedName(*DoubleOf(1e7)), "1.0E7");
  EXPECT_EQ(PrintSql(*DoubleOf(1.5)), "1.5D");
  EXPECT_EQ(PrintSql(*TextOf("it's")), "'it\\'s'");
  EXPECT_EQ(PrintSql(*IntegerOf(1, DataType::Long())), "1L");
  EXPECT_EQ(GeneratedName(*DecimalOf(-5, 3, 2)), "-0.05");
  const auto binary =
      MakeBound(plan::Literal{DataType::Binary(), std::string("1\xab")}, DataType::Binary());
  EXPECT_EQ(GeneratedName(*binary), "X'31AB'");
  EXPECT_EQ(GeneratedName(*IntegerOf(1'500'000, DataType::Timestamp())),
            "TIMESTAMP '1970-01-01 00:00:01.5'");
  NameFormat west;
  west.utc_offset_seconds = [](int64_t) { return -8 * 3600; };
  EXPECT_EQ(GeneratedName(*IntegerOf(0, DataType::Timestamp()), west),
            "TIMESTAMP '1969-12-31 16:00:00'");
}

TEST(PrintTest, IntervalsPrintTheirFields) {
  const auto day_time = [](int64_t micros, int from, int to) {
    return GeneratedName(*IntegerOf(micros, DataType::DayTimeInterval(from, to)));
  };
  EXPECT_EQ(day_time(443'220'000'000, 0, 2), "INTERVAL '5 03:07' DAY TO MINUTE");
  EXPECT_EQ(day_time(18'030'001'001, 1, 3), "INTERVAL '05:00:30.001001' HOUR TO SECOND");
  EXPECT_EQ(day_time(5'400'000'000, 2, 2), "INTERVAL '90' MINUTE");
  EXPECT_EQ(day_time(-86'400'000'000, 0, 0), "INTERVAL '-1' DAY");
  EXPECT_EQ(GeneratedName(*IntegerOf(24263, DataType::YearMonthInterval())),
            "INTERVAL '2021-11' YEAR TO MONTH");
  EXPECT_EQ(GeneratedName(*IntegerOf(-1200, DataType::YearMonthInterval(0, 0))),
            "INTERVAL '-100' YEAR");
}

TEST(PrintTest, WindowsShowTheFrameTheyUse) {
  BoundWindow window;
  window.function = Call("lag", {ColumnOf("b", DataType::Integer())});
  window.order_by = {{ColumnOf("b", DataType::Integer()), true, true}};
  EXPECT_EQ(GeneratedName(*MakeBound(window, DataType::Integer())),
            "lag(b, 1, NULL) OVER (ORDER BY b ASC NULLS FIRST ROWS BETWEEN -1 FOLLOWING AND -1 "
            "FOLLOWING)");
  window.function = Call("sum", {ColumnOf("b", DataType::Integer())});
  window.partition_by = {ColumnOf("g", DataType::String())};
  window.upper.kind = plan::BoundKind::kCurrentRow;
  EXPECT_EQ(GeneratedName(*MakeBound(window, DataType::Long())),
            "sum(b) OVER (PARTITION BY g ORDER BY b ASC NULLS FIRST "
            "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)");
}

TEST(PrintTest, ColumnsPrintQualifiedAsSql) {
  const auto column =
      MakeBound(BoundColumnRef{1, "a b", {"spark_catalog", "default", "t"}}, DataType::Integer());
  EXPECT_EQ(GeneratedName(*column), "a b");
  EXPECT_EQ(PrintSql(*column), "spark_catalog.default.t.`a b`");
}

}  // namespace
}  // namespace merganser
