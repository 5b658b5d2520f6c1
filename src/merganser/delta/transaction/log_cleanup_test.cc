#include "merganser/delta/transaction/log_cleanup.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/failpoint.h"
#include "merganser/delta/table/table_fixture.h"
#include "merganser/delta/transaction/checkpoint_writer.h"

namespace merganser {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

constexpr int64_t kDay = 86'400'000;

/// A commit a day, checkpoints at versions 2 and 5.
class LogCleanupTest : public ::testing::Test {
 protected:
  LogCleanupTest() : table_(StructType({{"id", DataType::Long(), true, {}}})) {
    table_.metadata.configuration["delta.logRetentionDuration"] = "interval 4 days";
  }

  void Fill() {
    table_.Create({MakeFile("f0")}, kDay);
    for (int64_t version = 1; version <= 7; ++version) {
      table_.Commit({MakeFile("f" + std::to_string(version))}, (version + 1) * kDay);
      table_.Put(ChecksumFileName(Version(version)), "{}", (version + 1) * kDay);
      if (version == 2 || version == 5) {
        ASSERT_TRUE(WriteCheckpoint(*Load(), 0).ok());
      }
    }
  }
  SnapshotRef Load() const {
    auto snapshot = table_.Load();
    EXPECT_TRUE(snapshot.ok()) << snapshot.error().message();
    return snapshot.ok() ? *snapshot : nullptr;
  }
  std::vector<std::string> Names(const std::string& folder = LogDirectory(TableFixture::kPath)) {
    std::vector<std::string> names;
    const auto entries = table_.memory->List(folder, {});
    for (const FileEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }
  /// Versions that can be read.
  std::vector<int64_t> Readable() const {
    std::vector<int64_t> versions;
    for (int64_t version = 0; version <= 7; ++version) {
      const auto snapshot = table_.Load(Version(version));
      if (snapshot.ok() && (*snapshot)->files().size() == static_cast<size_t>(version) + 1)
        versions.push_back(version);
    }
    return versions;
  }

  TableFixture table_;
};

TEST_F(LogCleanupTest, KeepsEveryVersionFromTheCheckpointBeforeTheCutoff) {
  Fill();
  // The cut-off is midnight of day 5, when version 4 was committed; version 2 leads up to it.
  ASSERT_TRUE(CleanUpLog(*Load(), 9 * kDay + 5000).ok());
  EXPECT_THAT(Readable(), ElementsAre(2, 3, 4, 5, 6, 7));
  EXPECT_THAT(Names(), Not(Contains("00000000000000000001.json")));
  EXPECT_THAT(Names(), Not(Contains("00000000000000000001.crc")));
  EXPECT_THAT(Names(), Contains("00000000000000000002.json"));
}

TEST_F(LogCleanupTest, ACheckpointAtTheCutoffIsTheOldestKept) {
  Fill();
  ASSERT_TRUE(CleanUpLog(*Load(), 10 * kDay).ok());
  EXPECT_THAT(Readable(), ElementsAre(5, 6, 7));
  EXPECT_THAT(Names(), Not(Contains("00000000000000000002.checkpoint.parquet")));
}

TEST_F(LogCleanupTest, KeepsTheWholeLogWhereNothingExpired) {
  Fill();
  const auto before = Names();
  ASSERT_TRUE(CleanUpLog(*Load(), 6 * kDay).ok());
  EXPECT_EQ(Names(), before);
}

TEST_F(LogCleanupTest, ATableMaySwitchItOff) {
  table_.metadata.configuration["delta.enableExpiredLogCleanup"] = "false";
  Fill();
  const auto before = Names();
  ASSERT_TRUE(CleanUpLog(*Load(), 100 * kDay).ok());
  EXPECT_EQ(Names(), before);
}

TEST_F(LogCleanupTest, ProtectedHistoryGoesAtOnceOrNotAtAll) {
  table_.protocol = {1, 7, {}, std::vector<std::string>{"checkpointProtection"}};
  table_.metadata.configuration["delta.requireCheckpointProtectionBeforeVersion"] = "4";
  Fill();
  const auto before = Names();
  ASSERT_TRUE(CleanUpLog(*Load(), 9 * kDay).ok());
  EXPECT_EQ(Names(), before);
  ASSERT_TRUE(CleanUpLog(*Load(), 10 * kDay).ok());
  EXPECT_THAT(Readable(), ElementsAre(5, 6, 7));
}

TEST_F(LogCleanupTest, SidecarsThatNoCheckpointNamesGo) {
  table_.protocol = {3, 7, std::vector<std::string>{"v2Checkpoint"},
                     std::vector<std::string>{"v2Checkpoint"}};
  table_.metadata.configuration["delta.checkpointPolicy"] = "v2";
  Fill();
  const std::string folder = JoinPath(LogDirectory(TableFixture::kPath), kSidecarDirectory);
  table_.memory->SetTime(9 * kDay + 1);
  (void)table_.memory->Write(JoinPath(folder, "of-a-checkpoint-that-is-being-written.parquet"), "");
  ASSERT_EQ(Names(folder).size(), 3u);
  ASSERT_TRUE(CleanUpLog(*Load(), 10 * kDay).ok());
  EXPECT_EQ(Names(folder).size(), 2u);
  EXPECT_THAT(Names(folder), Contains("of-a-checkpoint-that-is-being-written.parquet"));
  EXPECT_THAT(Readable(), ElementsAre(5, 6, 7));
}

TEST_F(LogCleanupTest, AFailureHalfWayLeavesAReadableLog) {
  for (int64_t passes = 1; passes <= 12; ++passes) {
    table_ = TableFixture(StructType({{"id", DataType::Long(), true, {}}}));
    table_.metadata.configuration["delta.logRetentionDuration"] = "interval 4 days";
    Fill();
    const failpoint::Armed armed("log_cleanup.between_files", failpoint::Mode::Nth(passes));
    const Status status = CleanUpLog(*Load(), 10 * kDay);
    EXPECT_THAT(Readable(), ::testing::IsSupersetOf({5, 6, 7})) << passes;
    EXPECT_EQ(status.ok(), passes > 10) << passes;
  }
}

}  // namespace
}  // namespace merganser
