#include "merganser/engine/checkpoint/checkpoint_slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"

namespace merganser::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class CheckpointSlicesTest : public EngineTest {
 protected:
  /// Write `num_rows` rows, of which only the first thousand have a `state`.
  void WriteRows(int num_rows, int row_group_size) {
    Run("COPY (SELECT {'path': i} AS add, CASE WHEN i < 1000 THEN {'id': i} END AS state, "
        "NULL::INTEGER AS nothing FROM range(" +
        std::to_string(num_rows) + ") r(i) ORDER BY i) TO " + QuoteString(Path("c.parquet")) +
        " (FORMAT parquet, ROW_GROUP_SIZE " + std::to_string(row_group_size) + ")");
  }

  /// First and last row of each slice; the whole file is (0, -1).
  std::vector<std::pair<int64_t, int64_t>> Slices(const std::string& column, size_t threads) {
    std::vector<std::pair<int64_t, int64_t>> slices;
    const StructType schema({{column, DataType::Long()}});
    for (const ScanFile& file : CheckpointSlices(Path("c.parquet"), schema, threads)) {
      EXPECT_EQ(file.path, Path("c.parquet"));
      if (!file.selected_rows) {
        slices.emplace_back(0, -1);
        continue;
      }
      const auto rows = (*file.selected_rows())->Rows();
      EXPECT_EQ(rows.back() - rows.front() + 1, rows.size());
      slices.emplace_back(rows.front(), rows.back());
    }
    return slices;
  }
};

TEST_F(CheckpointSlicesTest, LargeRowGroupsAreCutForThreads) {
  WriteRows(300'000, 400'000);
  EXPECT_THAT(Slices("add", 1), ElementsAre(Pair(0, -1)));
  EXPECT_THAT(Slices("add", 2), ElementsAre(Pair(0, 196'607), Pair(196'608, 299'999)));
  EXPECT_THAT(Slices("add", 64).size(), 5u);
}

TEST_F(CheckpointSlicesTest, RowGroupsWithoutActionsAreLeftOut) {
  WriteRows(8192, 2048);
  EXPECT_THAT(Slices("add", 2), ElementsAre(Pair(0, -1)));
  EXPECT_THAT(Slices("State", 2), ElementsAre(Pair(0, 2047)));
  EXPECT_THAT(Slices("nothing", 2), IsEmpty());
  EXPECT_THAT(Slices("missing", 2), IsEmpty());
}

TEST_F(CheckpointSlicesTest, AFileWithoutAFooterIsOnePiece) {
  EXPECT_THAT(Slices("add", 2), ElementsAre(Pair(0, -1)));
}

}  // namespace
}  // namespace merganser::engine
