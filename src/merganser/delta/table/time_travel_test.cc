#include "merganser/delta/table/time_travel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/table/history.h"
#include "merganser/delta/table/table_fixture.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;

std::string Number(int64_t milliseconds) { return std::to_string(milliseconds); }

CommitInfo Info(std::string operation, std::optional<int64_t> in_commit_timestamp = std::nullopt) {
  CommitInfo info;
  info.operation = std::move(operation);
  info.in_commit_timestamp = in_commit_timestamp;
  return info;
}

class TimeTravelTest : public ::testing::Test {
 protected:
  /// The version at a time, or the class that says why there is none.
  std::string At(int64_t timestamp, TimestampResolution resolution = {}) {
    const auto commit = VersionAtTimestamp(**table_.Load(), timestamp, resolution, Number);
    return commit.ok() ? commit->version.ToString() : std::string(commit.error().class_name());
  }

  TableFixture table_{StructType({{"a", DataType::Long()}})};
};

TEST_F(TimeTravelTest, TheNewestVersionAtOrBefore) {
  table_.Create({}, 100);
  table_.Commit({}, 200);
  table_.Commit({}, 300);
  EXPECT_EQ(At(100), "0");
  EXPECT_EQ(At(199), "0");
  EXPECT_EQ(At(200), "1");
  EXPECT_EQ(At(300), "2");
  EXPECT_EQ(At(99), "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION");
  EXPECT_EQ(At(301), "DELTA_TIMESTAMP_GREATER_THAN_COMMIT");
  EXPECT_EQ(At(301, {.can_return_last_commit = true}), "2");
  EXPECT_EQ(At(99, {.can_return_earliest_commit = true}), "0");
}

TEST_F(TimeTravelTest, ErrorsShowTheTimesThatExist) {
  table_.Create({}, 100);
  const auto early = VersionAtTimestamp(**table_.Load(), 5, {}, Number);
  EXPECT_EQ(early.error().parameters().at("userTimestamp"), "5");
  EXPECT_EQ(early.error().parameters().at("timestampString"), "100");
  const auto late = VersionAtTimestamp(**table_.Load(), 500, {}, Number);
  EXPECT_EQ(late.error().parameters().at("maximumTimestamp"), "100");
}

TEST_F(TimeTravelTest, FileTimesAreMadeToIncrease) {
  table_.Create({}, 100);
  table_.Commit({}, 50);
  table_.Commit({}, 101);
  const auto times = CommitTimestamps(**table_.Load(), Version(0), Version(2));
  EXPECT_THAT(*times,
              ElementsAre(CommitTimestamp{Version(0), 100}, CommitTimestamp{Version(1), 101},
                          CommitTimestamp{Version(2), 102}));
}

TEST_F(TimeTravelTest, InCommitTimestampsCountFromTheVersionThatHasThem) {
  table_.Create({Info("CREATE TABLE")}, 100);
  table_.Commit({Info("WRITE")}, 200);
  table_.metadata.configuration = {{"delta.enableInCommitTimestamps", "true"},
                                   {"delta.inCommitTimestampEnablementVersion", "2"},
                                   {"delta.inCommitTimestampEnablementTimestamp", "1000"}};
  table_.Commit({Info("SET TBLPROPERTIES", 1000), table_.metadata}, 5);
  for (int64_t i = 1; i <= 5; ++i) table_.Commit({Info("WRITE", 1000 + 100 * i)}, 5);
  EXPECT_EQ(At(150), "0");
  EXPECT_EQ(At(999), "1");
  EXPECT_EQ(At(1000), "2");
  EXPECT_EQ(At(1099), "2");
  EXPECT_EQ(At(1250), "4");
  EXPECT_EQ(At(1500), "7");
  EXPECT_EQ(At(1501), "DELTA_TIMESTAMP_GREATER_THAN_COMMIT");
  EXPECT_EQ(CommitTimestamps(**table_.Load(), Version(1), Version(3))->back().timestamp, 1100);
}

TEST_F(TimeTravelTest, ACommitThatLacksItsTimestampIsNamed) {
  table_.metadata.configuration = {{"delta.enableInCommitTimestamps", "true"}};
  table_.Create({Info("CREATE TABLE", 10)});
  table_.Commit({Info("WRITE")});
  table_.Commit({Info("WRITE", 30)});
  EXPECT_EQ(At(15), "DELTA_MISSING_COMMIT_TIMESTAMP");
}

TEST_F(TimeTravelTest, VersionsThatCanBeRebuilt) {
  table_.Create();
  table_.Commit({});
  table_.Commit({});
  const SnapshotRef latest = *table_.Load();
  EXPECT_EQ(*EarliestRecreatableVersion(*table_.memory, "/table"), Version(0));
  EXPECT_TRUE(CheckVersionExists(*latest, Version(2)).ok());
  EXPECT_EQ(CheckVersionExists(*latest, Version(3)).error().error_class(),
            ErrorClass::DELTA_VERSION_NOT_FOUND);
  ASSERT_TRUE(table_.memory->Delete("/table/_delta_log/" + CommitFileName(Version(0))).ok());
  EXPECT_EQ(*EarliestCommit(*table_.memory, "/table"), Version(1));
  EXPECT_EQ(EarliestRecreatableVersion(*table_.memory, "/table").error().error_class(),
            ErrorClass::DELTA_NO_RECREATABLE_HISTORY_FOUND);
  table_.Put(ClassicCheckpointFileName(Version(2)), "{}");
  EXPECT_EQ(*EarliestRecreatableVersion(*table_.memory, "/table"), Version(2));
}

TEST_F(TimeTravelTest, HistoryIsNewestFirst) {
  table_.Create({Info("CREATE TABLE")}, 100);
  table_.Commit({Info("WRITE")}, 100);
  table_.Commit({}, 300);
  const auto history = ReadHistory(**table_.Load());
  ASSERT_EQ(history->size(), 3u);
  EXPECT_EQ(history->at(0).version, Version(2));
  EXPECT_EQ(history->at(0).commit_info, CommitInfo());
  EXPECT_EQ(history->at(1).commit_info.operation, "WRITE");
  EXPECT_EQ(history->at(1).timestamp, 101);
  EXPECT_EQ(history->at(2).timestamp, 100);
  const auto newest = ReadHistory(**table_.Load(), 1);
  ASSERT_EQ(newest->size(), 1u);
  EXPECT_EQ(newest->at(0).version, Version(2));
}

}  // namespace
}  // namespace merganser
