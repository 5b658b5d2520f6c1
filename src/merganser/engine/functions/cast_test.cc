#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"
#include "merganser/engine/functions/spark_type.h"

namespace merganser::engine {
namespace {

TEST(SparkTypeTest, ReadsWhatSqlStringWrites) {
  for (const char* text : {"INT", "DECIMAL(10,2)", "ARRAY<INT>", "MAP<STRING, ARRAY<BIGINT>>",
                           "STRUCT<a: INT, b: STRING>", "INTERVAL DAY TO SECOND", "INTERVAL YEAR",
                           "TIMESTAMP_NTZ", "VARCHAR(3)", "VARIANT", "BINARY", "VOID"}) {
    const auto type = ParseSparkType(text);
    ASSERT_TRUE(type.has_value()) << text;
    EXPECT_EQ(type->SqlString(), text);
  }
  EXPECT_FALSE(ParseSparkType("NOTYPE").has_value());
  EXPECT_FALSE(ParseSparkType("DECIMAL(39,0)").has_value());
  EXPECT_FALSE(ParseSparkType("ARRAY<INT").has_value());
}

TEST(SparkTypeTest, ReadsQuotedNamesAndSchemas) {
  const auto type = ParseSparkSchema("a INT NOT NULL COMMENT 'x', `b ``c` STRING");
  ASSERT_TRUE(type.has_value());
  ASSERT_EQ(type->fields().size(), 2U);
  EXPECT_FALSE(type->fields()[0].nullable);
  EXPECT_EQ(type->fields()[1].name, "b `c");
}

TEST(CastTest, WholeNumbers) {
  ExpectAll({
      {"mg_cast(127::TINYINT, 'TINYINT', 'SMALLINT', 'ansi', 'UTC')", "127"},
      {"mg_cast(32767::SMALLINT, 'SMALLINT', 'TINYINT', 'ansi', 'UTC')", "!CAST_OVERFLOW"},
      {"mg_cast(32767::SMALLINT, 'SMALLINT', 'TINYINT', 'try', 'UTC')", "NULL"},
      {"mg_cast(9223372036854775807::BIGINT, 'BIGINT', 'INT', 'legacy', 'UTC')", "-1"},
      {"mg_cast(2.5::DOUBLE, 'DOUBLE', 'INT', 'ansi', 'UTC')", "2"},
      {"mg_cast(-2.5::DOUBLE, 'DOUBLE', 'TINYINT', 'ansi', 'UTC')", "-2"},
      {"mg_cast(1e10::DOUBLE, 'DOUBLE', 'TINYINT', 'legacy', 'UTC')", "-1"},
      {"mg_cast('Infinity'::DOUBLE, 'DOUBLE', 'BIGINT', 'legacy', 'UTC')", "9223372036854775807"},
      {"mg_cast('NaN'::DOUBLE, 'DOUBLE', 'BIGINT', 'ansi', 'UTC')", "!CAST_OVERFLOW"},
      {"mg_cast((-999.99)::DECIMAL(5,2), 'DECIMAL(5,2)', 'INT', 'ansi', 'UTC')", "-999"},
      {"mg_cast(' 12 ', 'STRING', 'INT', 'ansi', 'UTC')", "12"},
      {"mg_cast('1.5', 'STRING', 'INT', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
      {"mg_cast('1.5', 'STRING', 'INT', 'legacy', 'UTC')", "1"},
      {"mg_cast('99999999999999999999', 'STRING', 'BIGINT', 'try', 'UTC')", "NULL"},
      {"mg_cast('-0', 'STRING', 'INT', 'ansi', 'UTC')", "0"},
      {"mg_cast(TIMESTAMPTZ '1969-12-31 23:59:59.999999+00', 'TIMESTAMP', 'TINYINT', 'ansi', "
       "'UTC')",
       "-1"},
  });
}

TEST(CastTest, Decimals) {
  ExpectAll({
      {"mg_cast(32767::SMALLINT, 'SMALLINT', 'DECIMAL(5,2)', 'ansi', 'UTC')",
       "!NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION"},
      {"mg_cast(32767::SMALLINT, 'SMALLINT', 'DECIMAL(5,2)', 'legacy', 'UTC')", "NULL"},
      {"mg_cast(1.005::DOUBLE, 'DOUBLE', 'DECIMAL(10,2)', 'ansi', 'UTC')", "1.01"},
      {"mg_cast('NaN'::DOUBLE, 'DOUBLE', 'DECIMAL(10,2)', 'ansi', 'UTC')", "NULL"},
      {"mg_cast('1.5', 'STRING', 'DECIMAL(20,0)', 'ansi', 'UTC')", "2"},
      {"mg_cast('1e3', 'STRING', 'DECIMAL(20,0)', 'ansi', 'UTC')", "1000"},
      {"mg_cast('x', 'STRING', 'DECIMAL(20,0)', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
      {"mg_cast('1' || repeat('0', 40), 'STRING', 'DECIMAL(38,0)', 'ansi', 'UTC')",
       "!NUMERIC_OUT_OF_SUPPORTED_RANGE"},
      {"mg_cast(12.345::DECIMAL(5,3), 'DECIMAL(5,3)', 'DECIMAL(4,2)', 'ansi', 'UTC')", "12.35"},
      {"mg_cast(99.995::DECIMAL(5,3), 'DECIMAL(5,3)', 'DECIMAL(4,2)', 'try', 'UTC')", "NULL"},
      {"mg_cast(0::DECIMAL(10,7), 'DECIMAL(10,7)', 'STRING', 'ansi', 'UTC')", "0.0000000"},
      {"mg_cast(0::DECIMAL(10,7), 'DECIMAL(10,7)', 'STRING', 'legacy', 'UTC')", "0E-7"},
      {"mg_cast(12345678901234567890::DECIMAL(20,0), 'DECIMAL(20,0)', 'DOUBLE', 'ansi', 'UTC')",
       "1.2345678901234567e+19"},
  });
}

TEST(CastTest, DatesAndTimestamps) {
  ExpectAll({
      {"mg_cast('2024-1-5', 'STRING', 'DATE', 'ansi', 'UTC')", "2024-01-05"},
      {"mg_cast('2024-02-30', 'STRING', 'DATE', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
      {"mg_cast('2024-02-29T10', 'STRING', 'DATE', 'ansi', 'UTC')", "2024-02-29"},
      {"mg_cast('2024', 'STRING', 'DATE', 'ansi', 'UTC')", "2024-01-01"},
      {"mg_cast('2024-02-29 12:34:56.789', 'STRING', 'TIMESTAMP', 'ansi', 'America/Los_Angeles')",
       "2024-02-29 20:34:56.789+00"},
      {"mg_cast('2024-01-01 00:00:00+05:30', 'STRING', 'TIMESTAMP', 'ansi', 'UTC')",
       "2023-12-31 18:30:00+00"},
      {"mg_cast('2024-03-10 02:30:00', 'STRING', 'TIMESTAMP', 'ansi', 'America/Los_Angeles')",
       "2024-03-10 10:30:00+00"},
      {"mg_cast('2024-11-03 01:30:00 Europe/Paris', 'STRING', 'TIMESTAMP', 'ansi', 'UTC')",
       "2024-11-03 00:30:00+00"},
      {"mg_cast('2024-02-29 25:00:00', 'STRING', 'TIMESTAMP', 'try', 'UTC')", "NULL"},
      {"mg_cast('12:30', 'STRING', 'TIMESTAMP_NTZ', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
      {"mg_cast(mg_cast('12:30', 'STRING', 'TIMESTAMP', 'ansi', 'UTC'), 'TIMESTAMP', 'DATE', "
       "'ansi', 'UTC') = current_date",
       "true"},
      {"mg_cast(DATE '2024-01-01', 'DATE', 'TIMESTAMP', 'ansi', 'America/Los_Angeles')",
       "2024-01-01 08:00:00+00"},
      {"mg_cast(TIMESTAMPTZ '2024-01-01 00:00:00+00', 'TIMESTAMP', 'DATE', 'ansi', "
       "'America/Los_Angeles')",
       "2023-12-31"},
      {"mg_cast(TIMESTAMPTZ '2024-07-01 00:00:00.5+00', 'TIMESTAMP', 'STRING', 'ansi', "
       "'Asia/Kolkata')",
       "2024-07-01 05:30:00.5"},
      {"mg_cast(TIMESTAMPTZ '2024-07-01 00:00:00+00', 'TIMESTAMP', 'TIMESTAMP_NTZ', 'ansi', "
       "'Asia/Kolkata')",
       "2024-07-01 05:30:00"},
      {"mg_cast(1e10::DOUBLE, 'DOUBLE', 'TIMESTAMP', 'ansi', 'UTC')", "2286-11-20 17:46:40+00"},
      {"mg_cast('NaN'::DOUBLE, 'DOUBLE', 'TIMESTAMP', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
      {"mg_cast(1.25::DECIMAL(5,2), 'DECIMAL(5,2)', 'TIMESTAMP', 'ansi', 'UTC')",
       "1970-01-01 00:00:01.25+00"},
  });
}

TEST(CastTest, Intervals) {
  ExpectAll({
      {"mg_cast('1-2', 'STRING', 'INTERVAL YEAR TO MONTH', 'ansi', 'UTC')", "14"},
      {"mg_cast('abc', 'STRING', 'INTERVAL YEAR TO MONTH', 'ansi', 'UTC')",
       "!INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING"},
      {"mg_cast('1 02:03:04.5', 'STRING', 'INTERVAL DAY TO SECOND', 'ansi', 'UTC')", "93784500000"},
      {"mg_cast('INTERVAL -''1 2'' DAY TO HOUR', 'STRING', 'INTERVAL DAY TO HOUR', 'ansi', 'UTC')",
       "-93600000000"},
      {"mg_cast('12', 'STRING', 'INTERVAL DAY TO SECOND', 'ansi', 'UTC')",
       "!INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE"},
      {"mg_cast(93784500000::BIGINT, 'INTERVAL DAY TO SECOND', 'STRING', 'ansi', 'UTC')",
       "INTERVAL '1 02:03:04.5' DAY TO SECOND"},
      {"mg_cast((-86400000000)::BIGINT, 'INTERVAL DAY', 'STRING', 'ansi', 'UTC')",
       "INTERVAL '-1' DAY"},
      {"mg_cast(14::INTEGER, 'INTERVAL YEAR TO MONTH', 'STRING', 'ansi', 'UTC')",
       "INTERVAL '1-2' YEAR TO MONTH"},
      {"mg_cast(93784500000::BIGINT, 'INTERVAL DAY TO SECOND', 'DECIMAL(20,0)', 'ansi', 'UTC')",
       "93785"},
      {"mg_cast(93784500000::BIGINT, 'INTERVAL DAY TO SECOND', 'SMALLINT', 'ansi', 'UTC')",
       "!CAST_OVERFLOW"},
      {"mg_cast(127::TINYINT, 'TINYINT', 'INTERVAL DAY TO SECOND', 'ansi', 'UTC')", "127000000"},
      {"mg_cast('1 year 2 days -1.5 seconds', 'STRING', 'INTERVAL', 'ansi', 'UTC')",
       "1 year 2 days -00:00:01.5"},
      {"mg_cast(INTERVAL '14 months 3 days 1 hour 1.5 seconds', 'INTERVAL', 'STRING', 'ansi', "
       "'UTC')",
       "1 years 2 months 3 days 1 hours 1.5 seconds"},
  });
}

TEST(CastTest, TextOfFloatsBinariesAndNestedValues) {
  ExpectAll({
      {"mg_cast(1e7::DOUBLE, 'DOUBLE', 'STRING', 'ansi', 'UTC')", "1.0E7"},
      {"mg_cast(0.001::FLOAT, 'FLOAT', 'STRING', 'ansi', 'UTC')", "0.001"},
      {"mg_cast(unhex('FF41'), 'BINARY', 'STRING', 'ansi', 'UTC')",
       "\xEF\xBF\xBD"
       "A"},
      {"mg_cast([1, NULL, 3]::INTEGER[], 'ARRAY<INT>', 'STRING', 'ansi', 'UTC')", "[1, null, 3]"},
      {"mg_cast(MAP {'a': 1, 'b': NULL}, 'MAP<STRING, INT>', 'STRING', 'ansi', 'UTC')",
       "{a -> 1, b -> null}"},
      {"mg_cast({'a': 1, 'b': {'c': 'x', 'd': NULL::INTEGER}}, 'STRUCT<a: INT, b: STRUCT<c: "
       "STRING, d: INT>>', 'STRING', 'ansi', 'UTC')",
       "{1, {x, null}}"},
      {"mg_cast('inf', 'STRING', 'DOUBLE', 'ansi', 'UTC')", "inf"},
      {"mg_cast('1.5d', 'STRING', 'DOUBLE', 'ansi', 'UTC')", "1.5"},
      {"mg_cast('Y', 'STRING', 'BOOLEAN', 'ansi', 'UTC')", "true"},
      {"mg_cast('2', 'STRING', 'BOOLEAN', 'ansi', 'UTC')", "!CAST_INVALID_INPUT"},
  });
}

TEST(CastTest, NestedTypesConvertTheirParts) {
  ExpectAll({
      {"mg_cast(x, 'ARRAY<STRING>', 'ARRAY<INT>', 'try', 'UTC') FROM (VALUES (['1', 'x']), (NULL), "
       "([]::VARCHAR[])) t(x)",
       "[1, NULL] | NULL | []"},
      {"mg_cast(x, 'STRUCT<a: INT, b: ARRAY<INT>>', 'STRUCT<a: STRING, b: ARRAY<DOUBLE>>', 'ansi', "
       "'UTC') "
       "FROM (VALUES ({'a': 1, 'b': [2]}), (NULL), ({'a': NULL, 'b': NULL})) t(x)",
       "{'a': 1, 'b': [2.0]} | NULL | {'a': NULL, 'b': NULL}"},
      {"mg_cast(MAP {'1': '2'}, 'MAP<STRING, STRING>', 'MAP<INT, BIGINT>', 'ansi', 'UTC')",
       "{1=2}"},
      {"mg_cast(list_slice(x, 2, 3), 'ARRAY<STRING>', 'ARRAY<INT>', 'ansi', 'UTC') FROM (VALUES "
       "(['bad', '1', '2'])) t(x)",
       "[1, 2]"},
  });
}

TEST(CastTest, StoreAssignmentHasClassesOfItsOwn) {
  ExpectAll({
      {"mg_cast(300::INTEGER, 'INT', 'TINYINT', 'ansi', 'UTC', '{\"assigned\": {\"column\": "
       "\"c\"}}')",
       "!DELTA_CAST_OVERFLOW_IN_TABLE_WRITE"},
      {"mg_cast(300::INTEGER, 'INT', 'TINYINT', 'ansi', 'UTC', '{\"assigned\": {\"column\": \"c\", "
       "\"insert\": true}}')",
       "!CAST_OVERFLOW_IN_TABLE_INSERT"},
      {"mg_cast('x', 'STRING', 'TINYINT', 'ansi', 'UTC', '{\"assigned\": {\"column\": \"c\"}}')",
       "!CAST_INVALID_INPUT"},
  });
}

TEST(CastTest, ErrorsCarryParametersAndPlace) {
  Evaluation evaluate;
  const Error error = evaluate.ErrorOf(
      "mg_cast('12x', 'STRING', 'INT', 'ansi', 'UTC', '{\"start\": 7, \"stop\": 11, \"fragment\": "
      "\"f\"}')");
  EXPECT_EQ(error.full_name(), "CAST_INVALID_INPUT");
  EXPECT_THAT(error.parameters(), ::testing::Contains(::testing::Pair("expression", "'12x'")));
  EXPECT_THAT(error.parameters(), ::testing::Contains(::testing::Pair("targetType", "\"INT\"")));
  ASSERT_TRUE(error.context().has_value());
  EXPECT_EQ(error.context()->start, 7);
  EXPECT_EQ(error.context()->fragment, "f");
}

TEST(CastTest, RowsThatAreFilteredOutDoNotFail) {
  ExpectAll({
      {"CASE WHEN x = 'a' THEN 0 ELSE mg_cast(x, 'STRING', 'INT', 'ansi', 'UTC') END FROM (VALUES "
       "('a'), ('7')) t(x)",
       "0 | 7"},
  });
}

}  // namespace
}  // namespace merganser::engine
