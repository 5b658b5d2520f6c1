#include "merganser/engine/splice/data_file_footer.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"
#include "merganser/io/file_systems.h"

namespace merganser::engine {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::Optional;

class DataFileFooterTest : public EngineTest {
 protected:
  /// A file of four row groups of 2,048 rows, ids ascending from 0.
  DataFileFooter Footer(const std::string& columns) {
    Run("COPY (SELECT i AS id, " + columns + " FROM range(8192) r(i)) TO " +
        QuoteString(Path("f.parquet")) + " (FORMAT parquet, ROW_GROUP_SIZE 2048)");
    auto footer = DataFileFooter::Read(*file_system_, Path("f.parquet"));
    EXPECT_TRUE(footer.ok());
    return *std::move(footer);
  }

  static StatisticsColumn Column(std::string name, DataType type, bool has_bounds = true) {
    return {{std::move(name)}, std::move(type), has_bounds};
  }

  std::shared_ptr<FileSystem> file_system_ = FileSystems().local();
};

TEST_F(DataFileFooterTest, RowGroupsComeInOrder) {
  const DataFileFooter footer = Footer("1 AS one");
  ASSERT_THAT(footer.row_groups().size(), Eq(4u));
  EXPECT_THAT(footer.row_groups()[2].first_row, Eq(4096));
  EXPECT_THAT(footer.row_groups()[2].num_rows, Eq(2048));
  EXPECT_THAT(footer.row_groups()[2].bytes, testing::Gt(0));
}

TEST_F(DataFileFooterTest, KeptRowGroupsReadAsBefore) {
  const DataFileFooter footer = Footer(
      "'v' || i % 7 AS v, CASE WHEN i % 3 = 0 THEN NULL ELSE i / 2 END AS n, [i, i + 1] AS l");
  ASSERT_TRUE(footer.IsSpliceable());
  const std::string all = "read_parquet(" + QuoteString(Path("f.parquet")) + ")";
  // With a gap, from the front on, and to the end.
  const std::vector<std::vector<size_t>> choices = {{0, 2, 3}, {0, 1}, {2, 3}, {0, 1, 2, 3}};
  for (const std::vector<size_t>& groups : choices) {
    const std::string path = Path("kept.parquet");
    const auto size = footer.WriteRowGroups(*file_system_, groups, path);
    ASSERT_TRUE(size.ok());
    EXPECT_THAT(static_cast<uint64_t>(*size), Eq(std::filesystem::file_size(path)));
    const std::string kept = "read_parquet(" + QuoteString(path) + ")";
    EXPECT_THAT(Rows("SELECT count(*) FROM " + kept),
                Eq("[" + std::to_string(2048 * groups.size()) + "]"));
    std::string numbers;
    for (const size_t group : groups)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(group);
    EXPECT_THAT(Rows("SELECT * FROM " + kept + " EXCEPT ALL SELECT * FROM " + all +
                     " WHERE id // 2048 IN (" + numbers + ")"),
                Eq(""));
  }
}

TEST_F(DataFileFooterTest, StatisticsAreThoseOfTheKeptRowGroups) {
  const DataFileFooter footer = Footer(
      "(i - 5000)::DECIMAL(12,2) AS d, DATE '2024-01-01' + i::INTEGER AS day, 'k' || i AS k, i % 2 "
      "= "
      "0 AS b, CASE WHEN i < 4096 THEN NULL ELSE i END AS late, -i / 4.0::DOUBLE AS f");
  const auto statistics = footer.Statistics(
      {1, 2}, {Column("id", DataType::Long()), Column("d", DataType::Decimal(12, 2)),
               Column("day", DataType::Date()), Column("k", DataType::String()),
               Column("b", DataType::Boolean(), false), Column("late", DataType::Long()),
               Column("f", DataType::Double()), Column("added", DataType::Long())});
  ASSERT_TRUE(statistics.has_value());
  EXPECT_THAT(statistics->num_records, Optional(4096));
  const auto& columns = statistics->columns;
  EXPECT_THAT(columns[0].min, Optional(Scalar::Long(2048)));
  EXPECT_THAT(columns[0].max, Optional(Scalar::Long(6143)));
  EXPECT_THAT(columns[1].min, Optional(Scalar::Decimal(DataType::Decimal(12, 2), -295200)));
  EXPECT_THAT(columns[2].max, Optional(Scalar::Date(19723 + 6143)));
  EXPECT_THAT(columns[3].min, Optional(Scalar::String("k2048")));
  EXPECT_THAT(columns[3].max, Optional(Scalar::String("k6143")));
  EXPECT_THAT(columns[4].null_count, Optional(0));
  EXPECT_THAT(columns[4].max, Eq(std::nullopt));
  EXPECT_THAT(columns[5].null_count, Optional(2048));
  EXPECT_THAT(columns[5].min, Optional(Scalar::Long(4096)));
  EXPECT_THAT(columns[6].min, Optional(Scalar::Double(-6143 / 4.0)));
  EXPECT_THAT(columns[7].null_count, Optional(4096));
}

TEST_F(DataFileFooterTest, NoStatisticsWhereTheFooterSaysTooLittle) {
  const DataFileFooter footer =
      Footer("repeat('x', 400) || i AS long, 'NaN'::DOUBLE AS nan, 1::DECIMAL(10,1) AS d");
  EXPECT_THAT(footer.Statistics({0}, {Column("long", DataType::String())}), Eq(std::nullopt));
  EXPECT_THAT(footer.Statistics({0}, {Column("nan", DataType::Double())}), Eq(std::nullopt));
  EXPECT_THAT(footer.Statistics({0}, {Column("d", DataType::Decimal(10, 2))}), Eq(std::nullopt));
  // The same column in other letters, for all that is known.
  EXPECT_THAT(footer.Statistics({0}, {Column("ID", DataType::Long())}), Eq(std::nullopt));
}

TEST_F(DataFileFooterTest, KnowsColumnsOfNulls) {
  const DataFileFooter footer = Footer(
      "CASE WHEN i = 5000 THEN {'a': NULL::INTEGER, 'l': [{'b': 1}]} END AS s, NULL::INTEGER AS n");
  EXPECT_TRUE(footer.IsNull("s", 0));
  EXPECT_FALSE(footer.IsNull("S", 2));
  EXPECT_TRUE(footer.IsNull("n", 2));
  EXPECT_FALSE(footer.IsNull("id", 0));
  EXPECT_TRUE(footer.IsNull("missing", 0));
  EXPECT_THAT(footer.LeavesOf("S"), ElementsAre("a"));
  EXPECT_THAT(footer.LeavesOf("id"), testing::IsEmpty());
}

TEST_F(DataFileFooterTest, WhatIsNoParquetFileFails) {
  ASSERT_TRUE(file_system_->Write(Path("short"), "PAR1").ok());
  ASSERT_TRUE(file_system_->Write(Path("text"), std::string(100, 'x')).ok());
  ASSERT_TRUE(file_system_->Write(Path("broken"), std::string("PAR1????\x04\0\0\0PAR1", 16)).ok());
  for (const char* name : {"short", "text", "broken"}) {
    const auto footer = DataFileFooter::Read(*file_system_, Path(name));
    ASSERT_FALSE(footer.ok()) << name;
    EXPECT_THAT(footer.error().error_class(), Eq(ErrorClass::FAILED_READ_FILE)) << name;
  }
  const auto missing = DataFileFooter::Read(*file_system_, Path("nowhere"));
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(IsFileNotFound(missing.error()));
}

}  // namespace
}  // namespace merganser::engine
