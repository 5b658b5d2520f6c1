#include "merganser/delta/protocol/statistics.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

using ::testing::ElementsAre;

StructType Schema() {
  return StructType({
      {"p", DataType::Long()},
      {"a", DataType::Integer()},
      {"s", DataType::Struct(StructType({{"x", DataType::String()}, {"y", DataType::Boolean()}}))},
      {"l", DataType::Array(DataType::Long())},
      {"d", DataType::Decimal(10, 2)},
  });
}

std::vector<std::string> Paths(const std::vector<StatisticsColumn>& columns) {
  std::vector<std::string> paths;
  for (const StatisticsColumn& column : columns) {
    std::string path;
    for (const std::string& part : column.path) path += (path.empty() ? "" : ".") + part;
    paths.push_back(path + (column.has_bounds ? "" : "!"));
  }
  return paths;
}

std::vector<std::string> Indexed(StringMap configuration) {
  return Paths(StatisticsColumns(Schema(), {"P"}, TableProperties(std::move(configuration))));
}

TEST(StatisticsColumnsTest, FirstLeavesWithoutPartitionColumns) {
  EXPECT_THAT(Indexed({}), ElementsAre("a", "s.x", "s.y!", "l!", "d"));
  EXPECT_THAT(Indexed({{"delta.dataSkippingNumIndexedCols", "2"}}), ElementsAre("a", "s.x"));
  EXPECT_THAT(Indexed({{"delta.dataSkippingNumIndexedCols", "0"}}), ElementsAre());
  EXPECT_THAT(Indexed({{"delta.dataSkippingNumIndexedCols", "-1"}}),
              ElementsAre("a", "s.x", "s.y!", "l!", "d"));
}

TEST(StatisticsColumnsTest, ChosenColumnsInSchemaOrder) {
  EXPECT_THAT(Indexed({{"delta.dataSkippingStatsColumns", "d, `S`.x"}}), ElementsAre("s.x", "d"));
  EXPECT_THAT(Indexed({{"delta.dataSkippingStatsColumns", "s"}}), ElementsAre("s.x", "s.y!"));
}

TEST(StatisticsColumnsTest, MappedColumnsHavePhysicalPaths) {
  const StructType schema(
      {{"a", DataType::Long(), true, {{"delta.columnMapping.physicalName", "\"col-1\""}}}});
  EXPECT_THAT(Paths(StatisticsColumns(
                  schema, {}, TableProperties(StringMap{{"delta.columnMapping.mode", "name"}}))),
              ElementsAre("col-1"));
}

std::vector<StatisticsColumn> Columns() {
  return {{{"i"}, DataType::Integer()},
          {{"f"}, DataType::Double()},
          {{"d"}, DataType::Decimal(10, 2)},
          {{"s", "t"}, DataType::String()},
          {{"s", "b"}, DataType::Boolean(), false},
          {{"day"}, DataType::Date()},
          {{"ts"}, DataType::Timestamp()},
          {{"ntz"}, DataType::TimestampNtz()}};
}

constexpr std::string_view kJson =
    R"({"numRecords":3,"minValues":{"i":1,"f":-0.5,"d":1.00,"s":{"t":"a"},"day":"1970-01-02",)"
    R"("ts":"1970-01-01T00:00:00.001Z","ntz":"1970-01-01T00:00:00.001"},)"
    R"("maxValues":{"i":2,"f":"NaN","d":12.50,"s":{"t":"b"},"day":"1970-01-03",)"
    R"("ts":"1970-01-01T00:00:00.002Z","ntz":"1970-01-01T00:00:00.002"},)"
    R"("nullCount":{"i":0,"f":0,"d":0,"s":{"t":1,"b":2},"day":0,"ts":0,"ntz":0},"tightBounds":true})";

TEST(StatisticsTest, ReadsTypedBounds) {
  const auto statistics = ParseStatistics(kJson, Columns());
  ASSERT_TRUE(statistics);
  EXPECT_EQ(statistics->num_records, 3);
  EXPECT_EQ(statistics->tight_bounds, true);
  EXPECT_EQ(statistics->Find({"i"})->min, Scalar::Integer(1));
  EXPECT_TRUE(std::isnan(statistics->Find({"f"})->max->floating()));
  EXPECT_EQ(statistics->Find({"d"})->max, Scalar::Decimal(DataType::Decimal(10, 2), 1250));
  EXPECT_EQ(statistics->Find({"s", "t"})->min, Scalar::String("a"));
  EXPECT_EQ(statistics->Find({"s", "b"})->null_count, 2);
  EXPECT_EQ(statistics->Find({"s", "b"})->min, std::nullopt);
  EXPECT_EQ(statistics->Find({"day"})->min, Scalar::Date(1));
  EXPECT_EQ(statistics->Find({"none"}), nullptr);
}

TEST(StatisticsTest, MaximaOfTimestampsEncloseWhatWasCut) {
  const auto statistics = ParseStatistics(kJson, Columns());
  EXPECT_EQ(statistics->Find({"ts"})->min, Scalar::Timestamp(1000));
  EXPECT_EQ(statistics->Find({"ts"})->max, Scalar::Timestamp(2999));
  EXPECT_EQ(statistics->Find({"ntz"})->max, Scalar::TimestampNtz(2999));
}

TEST(StatisticsTest, WritesWhatDeltaWrites) {
  const auto statistics = ParseStatistics(kJson, Columns());
  EXPECT_EQ(ToJson(*statistics, Columns()), kJson);
  FileStatistics empty;
  empty.num_records = 0;
  EXPECT_EQ(ToJson(empty, {{{"s", "t"}, DataType::String()}}),
            R"({"numRecords":0,"minValues":{"s":{}},"maxValues":{"s":{}},"nullCount":{"s":{}}})");
  EXPECT_EQ(ToJson(empty, {}), R"({"numRecords":0})");
}

TEST(StatisticsTest, SmallDecimalsAsJavaWritesThem) {
  const DataType type = DataType::Decimal(38, 18);
  FileStatistics statistics;
  statistics.columns.push_back(
      {{"d"}, Scalar::Decimal(type, 0), Scalar::Decimal(type, 12), std::nullopt});
  EXPECT_EQ(ToJson(statistics, {{{"d"}, type}}),
            R"({"minValues":{"d":0E-18},"maxValues":{"d":1.2E-17},"nullCount":{}})");
}

TEST(StatisticsTest, DropsBoundsOfTheWrongTypeAndSkipsTheRest) {
  const auto statistics = ParseStatistics(
      R"({"numRecords":1,"minValues":{"i":"x","f":[1],"zz":{"y":{}},"s":7},"maxValues":null,)"
      R"("nullCount":{"i":{"deep":1}},"unknown":[{}],"tightBounds":false})",
      Columns());
  ASSERT_TRUE(statistics);
  EXPECT_FALSE(statistics->is_tight());
  EXPECT_TRUE(statistics->columns.empty());
}

TEST(StatisticsTest, WhatIsNoStatistics) {
  for (const char* text : {"", "x", "[]", "1", "{\"numRecords\":1"}) {
    EXPECT_FALSE(ParseStatistics(text, Columns())) << text;
  }
  EXPECT_EQ(ParseNumRecords("{\"numRecords\":12,\"minValues\":{}}"), 12);
  EXPECT_EQ(ParseNumRecords("{\"minValues\":{\"numRecords\":3}}"), std::nullopt);
  EXPECT_EQ(ParseNumRecords("nonsense"), std::nullopt);
}

std::string Repeat(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated += text;
  return repeated;
}

TEST(TruncationTest, MinimaAreCutAfter32CodePoints) {
  EXPECT_EQ(TruncateMinimum("short"), "short");
  EXPECT_EQ(TruncateMinimum(Repeat("x", 40)), Repeat("x", 32));
  EXPECT_EQ(TruncateMinimum(Repeat("\xF0\x9F\x8E\x89", 40)), Repeat("\xF0\x9F\x8E\x89", 32));
}

TEST(TruncationTest, MaximaStayAbove) {
  EXPECT_EQ(TruncateMaximum(Repeat("x", 32)), Repeat("x", 32));
  EXPECT_EQ(TruncateMaximum(Repeat("x", 33)), Repeat("x", 32) + "\x7f");
  EXPECT_EQ(TruncateMaximum(Repeat("x", 32) + "\x7f"), Repeat("x", 32) + "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(TruncateMaximum(Repeat("x", 32) + "\xC3\xA9"), Repeat("x", 32) + "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(TruncateMaximum(Repeat("x", 32) + "\xF4\x8F\xBF\xBF" + "a"),
            Repeat("x", 32) + "\xF4\x8F\xBF\xBF" + "\x7f");
  EXPECT_EQ(TruncateMaximum(Repeat("\xF4\x8F\xBF\xBF", 40)), std::nullopt);
  // A pair that the cut would split stays whole.
  EXPECT_EQ(TruncateMaximum(Repeat("x", 31) + Repeat("\xF0\x9F\x8E\x89", 2)),
            Repeat("x", 31) + "\xF0\x9F\x8E\x89" + "\xF4\x8F\xBF\xBF");
}

}  // namespace
}  // namespace merganser
