#include "merganser/spark/sql/type_parser.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

std::string TypeText(std::string_view text) {
  const auto type = ParseDataType(text);
  return type.ok() ? type->SqlString() : type.error().full_name();
}

TEST(TypeParserTest, ReadsSimpleTypes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"boolean", "BOOLEAN"},
      {"byte", "TINYINT"},
      {"short", "SMALLINT"},
      {"integer", "INT"},
      {"long", "BIGINT"},
      {"real", "FLOAT"},
      {"double", "DOUBLE"},
      {"dec", "DECIMAL(10,0)"},
      {"numeric(3)", "DECIMAL(3,0)"},
      {"string", "STRING"},
      {"char(5)", "CHAR(5)"},
      {"varchar(7)", "VARCHAR(7)"},
      {"binary", "BINARY"},
      {"date", "DATE"},
      {"timestamp", "TIMESTAMP"},
      {"variant", "VARIANT"},
      {"timestamp_ntz", "TIMESTAMP_NTZ"},
      {"timestamp without time zone", "TIMESTAMP_NTZ"},
      {"timestamp with local time zone", "TIMESTAMP"},
      {"string collate utf8_binary", "STRING"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(TypeText(text), expected) << text;
}

TEST(TypeParserTest, ReadsIntervals) {
  EXPECT_EQ(*ParseDataType("interval year to month"), DataType::YearMonthInterval());
  EXPECT_EQ(*ParseDataType("interval month"), DataType::YearMonthInterval(1, 1));
  EXPECT_EQ(*ParseDataType("interval hour to second"), DataType::DayTimeInterval(1, 3));
  EXPECT_EQ(*ParseDataType("interval day"), DataType::DayTimeInterval(0, 0));
  EXPECT_EQ(*ParseDataType("interval"), DataType::CalendarInterval());
}

TEST(TypeParserTest, ReadsNestedTypes) {
  EXPECT_EQ(TypeText("array<array<array<int>>>"), "ARRAY<ARRAY<ARRAY<INT>>>");
  EXPECT_EQ(TypeText("map<string, array<bigint>>"), "MAP<STRING, ARRAY<BIGINT>>");
  EXPECT_EQ(TypeText("struct<>"), "STRUCT<>");
  const auto type = ParseDataType("struct<a: int, `b c` string not null comment 'it''s \"x\"'>");
  ASSERT_TRUE(type.ok());
  ASSERT_EQ(type->fields().size(), 2U);
  EXPECT_TRUE(type->fields()[0].nullable);
  EXPECT_EQ(type->fields()[1].name, "b c");
  EXPECT_FALSE(type->fields()[1].nullable);
  EXPECT_EQ(type->fields()[1].metadata.at("comment"), R"("it's \"x\"")");
}

TEST(TypeParserTest, ReadsATableSchema) {
  const auto schema = ParseTableSchema("a INT, `b c` STRING NOT NULL COMMENT 'x'");
  ASSERT_TRUE(schema.ok());
  EXPECT_EQ((*schema)[0].name, "a");
  EXPECT_FALSE((*schema)[1].nullable);
  EXPECT_EQ(ParseTableSchema("a: int").error().full_name(), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(ParseTableSchema("a INT,").error().full_name(), "PARSE_SYNTAX_ERROR");
}

}  // namespace
}  // namespace merganser
