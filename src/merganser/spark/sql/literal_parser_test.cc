#include "merganser/spark/sql/literal_parser.h"

#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

TEST(LiteralParserTest, WidensWholeNumbers) {
  EXPECT_EQ(ExpressionPlan("2147483647"), "2147483647");
  EXPECT_EQ(ExpressionPlan("-2147483648"), "-2147483648");
  EXPECT_EQ(ExpressionPlan("2147483648"), "2147483648:bigint");
  EXPECT_EQ(ExpressionPlan("-9223372036854775808"), "-9223372036854775808:bigint");
  EXPECT_EQ(ExpressionPlan("9223372036854775808"), "9223372036854775808:decimal(19,0)");
  EXPECT_EQ(ExpressionPlan("123456789012345678901234567890123456789"),
            "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION");
}

TEST(LiteralParserTest, KeepsDecimalsExact) {
  EXPECT_EQ(ExpressionPlan("1.50"), "150:decimal(3,2)");
  EXPECT_EQ(ExpressionPlan(".5"), "5:decimal(1,1)");
  EXPECT_EQ(ExpressionPlan("0.00"), "0:decimal(2,2)");
  EXPECT_EQ(ExpressionPlan("1."), "1:decimal(1,0)");
  EXPECT_EQ(ExpressionPlan("-1.5BD"), "-15:decimal(2,1)");
  EXPECT_EQ(ExpressionPlan("1e3BD"), "1000:decimal(4,0)");
  EXPECT_EQ(ExpressionPlan("12e-3BD"), "12:decimal(3,3)");
}

TEST(LiteralParserTest, MakesDoublesOfExponents) {
  EXPECT_EQ(ExpressionPlan("1.5e3"), "1500.000000:double");
  EXPECT_EQ(ExpressionPlan("-1D"), "-1.000000:double");
  EXPECT_EQ(ExpressionPlan("1F"), "1.000000:float");
  EXPECT_EQ(ExpressionPlan("1e-400"), "0.000000:double");
}

TEST(LiteralParserTest, ChecksTheRangeOfSuffixes) {
  EXPECT_EQ(ExpressionPlan("-128Y"), "-128:tinyint");
  EXPECT_EQ(ExpressionPlan("32767S"), "32767:smallint");
  for (const std::string_view text :
       {"128Y", "32768S", "9223372036854775808L", "1e400", "1e400D", "1e39F"}) {
    EXPECT_EQ(ExpressionPlan(text), "INVALID_NUMERIC_LITERAL_RANGE") << text;
  }
  const auto parsed = ParseExpression("a + -1e400");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().parameters().at("rawStrippedQualifier"), "-1e400");
  EXPECT_EQ(parsed.error().parameters().at("minValue"), "-1.7976931348623157E+308");
  EXPECT_EQ(parsed.error().context()->start, 4);
}

TEST(LiteralParserTest, ReadsStringsWithTheirEscapes) {
  EXPECT_EQ(ExpressionPlan("'a''b'"), "'a'b'");
  EXPECT_EQ(ExpressionPlan("\"a\"\"b\""), "'a\"b'");
  EXPECT_EQ(ExpressionPlan("'a' \"b\""), "'ab'");
  EXPECT_EQ(ExpressionPlan(R"('\n\t\\\'\u0041\U00000042\103\q')"), "'\n\t\\'ABCq'");
  EXPECT_EQ(ExpressionPlan(R"('\%\_')"), R"('\%\_')");
  EXPECT_EQ(ExpressionPlan(R"('\ud83d\ude00')"), "'\xF0\x9F\x98\x80'");
  EXPECT_EQ(ExpressionPlan(R"(r'\n')"), R"('\n')");
  EXPECT_EQ(ExpressionPlan(R"(R"a'b")"), "'a'b'");
}

TEST(LiteralParserTest, ReadsDates) {
  EXPECT_EQ(ExpressionPlan("DATE '2020-02-29'"), "18321:date");
  EXPECT_EQ(ExpressionPlan("date'2020'"), "18262:date");
  EXPECT_EQ(ExpressionPlan("DATE ' 2020-2-3T99 '"), "18295:date");
  EXPECT_EQ(ExpressionPlan("DATE '-0001-01-01'"), "-719893:date");
  EXPECT_EQ(ExpressionPlan("DATE 'Epoch'"), "0:date");
  EXPECT_EQ(ExpressionPlan("DATE 'yesterday'"), "date_add(current_date(), -1)");
  for (const std::string_view text :
       {"DATE ''", "DATE '2020-02-30'", "DATE '20200101'", "DATE '2020-01 x'"}) {
    EXPECT_EQ(ExpressionPlan(text), "INVALID_TYPED_LITERAL") << text;
  }
}

TEST(LiteralParserTest, ReadsTimestampsInUtcAndOffsets) {
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01 00:00:01.5'"), "1500000:timestamp");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01T01:00:00+01:00'"), "0:timestamp");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP_LTZ '1970-01-01 1:0:0 UTC-1'"), "7200000000:timestamp");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP_NTZ '1970-01-01 01:00:00+01:00'"),
            "3600000000:timestamp_ntz");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970'"), "0:timestamp");
  ParserOptions options;
  options.session_time_zone = "+02:00";
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01 02:00:00'", options), "0:timestamp");
  for (const std::string_view text :
       {"TIMESTAMP '1970-01-01 25:00:00'", "TIMESTAMP '1970-01-01 00:00 UTC'",
        "TIMESTAMP '1970-01-01 00:00:00 utc'", "TIMESTAMP_NTZ '12:00'",
        "TIMESTAMP '294248-01-01 00:00:00'", "TIMESTAMP ''"}) {
    EXPECT_EQ(ExpressionPlan(text), "INVALID_TYPED_LITERAL") << text;
  }
}

TEST(LiteralParserTest, LeavesRegionsAndTheClockToTheAnalyser) {
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '2020-01-01 00:00:00 America/New_York'"),
            "cast('2020-01-01 00:00:00 America/New_York' AS timestamp)");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '12:00'"), "cast('12:00' AS timestamp)");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP 'now'"), "current_timestamp()");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP_NTZ 'today'"), "cast(current_date() AS timestamp_ntz)");
  ParserOptions options;
  options.session_time_zone = "Europe/Paris";
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '2020-01-01'", options), "cast('2020-01-01' AS timestamp)");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01 00:00:00Z'", options), "0:timestamp");
}

TEST(LiteralParserTest, LetsTheSessionChooseWhatTimestampMeans) {
  ParserOptions options;
  options.timestamp_is_ntz = true;
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01'", options), "0:timestamp_ntz");
  EXPECT_EQ(ExpressionPlan("TIMESTAMP '1970-01-01 00:00:00Z'", options), "0:timestamp");
  EXPECT_EQ(ExpressionPlan("CAST(a AS TIMESTAMP)", options), "cast(a AS timestamp_ntz)");
}

TEST(LiteralParserTest, ReadsBinary) {
  const auto parsed = ParseExpression("X'1fA'");
  ASSERT_TRUE(parsed.ok());
  const auto* literal = (*parsed)->As<plan::Literal>();
  EXPECT_EQ(literal->type, DataType::Binary());
  EXPECT_EQ(std::get<std::string>(literal->value), "\x01\xFA");
  EXPECT_EQ(ExpressionPlan("X'1G'"), "INVALID_TYPED_LITERAL");
}

TEST(LiteralParserTest, ReadsIntervalsOfUnits) {
  EXPECT_EQ(ExpressionPlan("INTERVAL 1 DAY"), "86400000000:interval day");
  EXPECT_EQ(ExpressionPlan("INTERVAL -1 WEEK"), "-604800000000:interval day");
  EXPECT_EQ(ExpressionPlan("INTERVAL - '-1' HOURS"), "3600000000:interval hour");
  EXPECT_EQ(ExpressionPlan("INTERVAL 1 HOUR 2 SECONDS"), "3602000000:interval hour to second");
  EXPECT_EQ(ExpressionPlan("interval '1' year '2' months"), "14:interval year to month");
  EXPECT_EQ(ExpressionPlan("INTERVAL 1.5 SECOND"), "1500000:interval second");
  EXPECT_EQ(ExpressionPlan("INTERVAL '1 day -2 hours'"), "79200000000:interval day to hour");
  EXPECT_EQ(ExpressionPlan("INTERVAL 'interval 3 months'"), "3:interval month");
}

TEST(LiteralParserTest, ReadsIntervalsFromTo) {
  EXPECT_EQ(ExpressionPlan("INTERVAL '1-2' YEAR TO MONTH"), "14:interval year to month");
  EXPECT_EQ(ExpressionPlan("INTERVAL -'-1-2' YEAR TO MONTH"), "14:interval year to month");
  EXPECT_EQ(ExpressionPlan("INTERVAL '1 2:3:4.5' DAY TO SECOND"),
            "93784500000:interval day to second");
  EXPECT_EQ(ExpressionPlan("INTERVAL '70:10' MINUTE TO SECOND"),
            "4210000000:interval minute to second");
  EXPECT_EQ(ExpressionPlan("INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND"),
            "-9223372036854775808:interval day to second");
}

TEST(LiteralParserTest, TakesIntervalForAColumnWhereItIsOne) {
  EXPECT_EQ(ExpressionPlan("interval"), "interval");
  EXPECT_EQ(ExpressionPlan("interval + 1"), "(interval + 1)");
  EXPECT_EQ(ExpressionPlan("interval - 1"), "(interval - 1)");
}

TEST(LiteralParserTest, RefusesOtherTypedLiterals) {
  EXPECT_EQ(ExpressionPlan("TIME '12:00:00'"), "UNSUPPORTED_TIME_TYPE");
  EXPECT_EQ(ExpressionPlan("foo 'x'"), "UNSUPPORTED_TYPED_LITERAL");
}

}  // namespace
}  // namespace merganser
