#include "merganser/arrow/json_value.h"

#include <limits>

#include <gtest/gtest.h>

#include "merganser/arrow/display_text.h"
#include "merganser/arrow/test_array.h"

namespace merganser {
namespace {

std::string Json(TestArray& array, const DataType& type, int64_t row = 0) {
  const auto column = ArrowColumn::Make(array.schema(), array.array(), type);
  EXPECT_TRUE(column.ok()) << column.error().message();
  std::string out;
  AppendJsonValue(*column, row, &out);
  return out;
}

std::string Display(TestArray& array, const DataType& type, int64_t row = 0,
                    const DisplayFormat& format = {}) {
  const auto column = ArrowColumn::Make(array.schema(), array.array(), type);
  EXPECT_TRUE(column.ok()) << column.error().message();
  std::string out;
  AppendDisplayText(*column, row, format, &out);
  return out;
}

TEST(JsonValue, WritesDatesOfEveryEra) {
  TestArray days("tdD");
  days.Buffer<int32_t>({0, -1, 19782, -719528, 2932896, 2932897}).Rows(6);
  EXPECT_EQ(Json(days, DataType::Date(), 0), "\"1970-01-01\"");
  EXPECT_EQ(Json(days, DataType::Date(), 1), "\"1969-12-31\"");
  EXPECT_EQ(Json(days, DataType::Date(), 2), "\"2024-02-29\"");
  EXPECT_EQ(Json(days, DataType::Date(), 3), "\"0000-01-01\"");
  EXPECT_EQ(Json(days, DataType::Date(), 4), "\"9999-12-31\"");
  EXPECT_EQ(Json(days, DataType::Date(), 5), "\"+10000-01-01\"");
}

TEST(JsonValue, WritesTimestampsWithoutTrailingZeros) {
  TestArray array("tsu:UTC");
  array.Buffer<int64_t>({0, 1500000, -1}).Rows(3);
  EXPECT_EQ(Json(array, DataType::Timestamp(), 0), "\"1970-01-01 00:00:00\"");
  EXPECT_EQ(Json(array, DataType::Timestamp(), 1), "\"1970-01-01 00:00:01.5\"");
  EXPECT_EQ(Json(array, DataType::Timestamp(), 2), "\"1969-12-31 23:59:59.999999\"");
}

TEST(JsonValue, QuotesWhatJsonNumbersCannotSay) {
  TestArray array("g");
  array
      .Buffer<double>({1.5, std::numeric_limits<double>::infinity(),
                       std::numeric_limits<double>::quiet_NaN(), 1e10})
      .Rows(4);
  EXPECT_EQ(Json(array, DataType::Double(), 0), "1.5");
  EXPECT_EQ(Json(array, DataType::Double(), 1), "\"Infinity\"");
  EXPECT_EQ(Json(array, DataType::Double(), 2), "\"NaN\"");
  EXPECT_EQ(Json(array, DataType::Double(), 3), "1.0E10");
  TestArray decimal("d:5,2");
  decimal.Buffer<__int128>({-5}).Rows(1);
  EXPECT_EQ(Json(decimal, DataType::Decimal(5, 2)), "\"-0.05\"");
}

TEST(JsonValue, WritesBinaryAsHex) {
  TestArray array("z");
  array.Buffer<int32_t>({0, 2}).Text("\x0f\xa0").Rows(1);
  EXPECT_EQ(Json(array, DataType::Binary()), "\"0fa0\"");
  EXPECT_EQ(Display(array, DataType::Binary()), "[0F A0]");
}

TEST(JsonValue, WritesMapsAsPairsAndStructsAsObjects) {
  TestArray entries("+s");
  entries.Child(std::move(TestArray("u").Buffer<int32_t>({0, 1, 2}).Text("kq").Rows(2)))
      .Child(std::move(TestArray("+s")
                           .Child(std::move(TestArray("i").Buffer<int32_t>({1, 2}).Null(1).Rows(2)))
                           .Rows(2)))
      .Rows(2);
  TestArray map("+m");
  map.Buffer<int32_t>({0, 2, 2}).Child(std::move(entries)).Null(1).Rows(2);
  const auto type = DataType::Map(DataType::String(),
                                  DataType::Struct(StructType({{"n\"", DataType::Integer()}})));
  EXPECT_EQ(Json(map, type, 0), R"([["k",{"n\"":1}],["q",{"n\"":null}]])");
  EXPECT_EQ(Json(map, type, 1), "null");
  EXPECT_EQ(Display(map, type, 0), "{k -> {1}, q -> {NULL}}");
  EXPECT_EQ(Display(map, type, 1), "NULL");
}

TEST(DisplayText, ShowsTimestampsInTheSessionZone) {
  TestArray array("tsu:UTC");
  array.Buffer<int64_t>({0}).Rows(1);
  const DisplayFormat format{[](int64_t) { return int64_t{-3600}; }};
  EXPECT_EQ(Display(array, DataType::Timestamp(), 0, format), "1969-12-31 23:00:00");
  EXPECT_EQ(Display(array, DataType::TimestampNtz(), 0, format), "1970-01-01 00:00:00");
}

TEST(DisplayText, ShowsIntervalsByTheirFields) {
  TestArray months("i");
  months.Buffer<int32_t>({-14}).Rows(1);
  EXPECT_EQ(Display(months, DataType::YearMonthInterval()), "INTERVAL '-1-2' YEAR TO MONTH");
  EXPECT_EQ(Display(months, DataType::YearMonthInterval(1, 1)), "INTERVAL '-14' MONTH");
  TestArray micros("l");
  micros.Buffer<int64_t>({93784500000}).Rows(1);
  EXPECT_EQ(Display(micros, DataType::DayTimeInterval()), "INTERVAL '1 02:03:04.5' DAY TO SECOND");
  EXPECT_EQ(Display(micros, DataType::DayTimeInterval(1, 2)), "INTERVAL '26:03' HOUR TO MINUTE");
}

TEST(DisplayText, ShowsFloatsAsJavaDoes) {
  TestArray array("f");
  array.Buffer<float>({0.1F, 1e10F}).Rows(2);
  EXPECT_EQ(Display(array, DataType::Float(), 0), "0.1");
  EXPECT_EQ(Display(array, DataType::Float(), 1), "1.0E10");
}

}  // namespace
}  // namespace merganser
