#include "merganser/delta/log/log_segment.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/uuid.h"
#include "merganser/io/in_memory_file_system.h"
#include "merganser/io/local_file_system.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// On a store that lists from any name, and on one where names are asked for.
class LogSegmentTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam()) {
      file_system_ = std::make_shared<InMemoryFileSystem>();
    } else {
      file_system_ = std::make_shared<LocalFileSystem>();
      table_ =
          (std::filesystem::temp_directory_path() / ("merganser-log-" + RandomUuid())).string();
    }
    ASSERT_TRUE(file_system_->CreateDirectories(LogDirectory(table_)).ok());
  }
  void TearDown() override { EXPECT_TRUE(file_system_->DeleteDirectory(table_).ok()); }

  void Put(const std::string& name, std::string_view bytes = "{}") {
    ASSERT_TRUE(file_system_->Write(JoinPath(LogDirectory(table_), name), bytes).ok());
  }
  void PutCommits(int64_t first, int64_t last) {
    for (int64_t version = first; version <= last; ++version) Put(CommitFileName(Version(version)));
  }
  void PutHint(int64_t version, std::string_view more = "") {
    Put("_last_checkpoint",
        "{\"version\":" + std::to_string(version) + ",\"size\":1" + std::string(more) + "}");
  }
  void Remove(const std::string& name) {
    ASSERT_TRUE(file_system_->Delete(JoinPath(LogDirectory(table_), name)).ok());
  }
  LogSegment Find(std::optional<int64_t> version = std::nullopt) {
    auto segment = LogSegment::Find(*file_system_, table_,
                                    version ? std::optional(Version(*version)) : std::nullopt);
    EXPECT_TRUE(segment.ok()) << segment.error().message();
    EXPECT_TRUE(!segment.ok() || segment->has_value());
    return segment.ok() && *segment ? **segment : LogSegment();
  }
  Error FindError(std::optional<int64_t> version = std::nullopt) {
    auto segment = LogSegment::Find(*file_system_, table_,
                                    version ? std::optional(Version(*version)) : std::nullopt);
    EXPECT_FALSE(segment.ok());
    return segment.ok() ? Error::Internal("no error") : segment.error();
  }
  static std::vector<int64_t> Starts(const LogSegment& segment) {
    std::vector<int64_t> starts;
    for (const LogPath& delta : segment.deltas) starts.push_back(delta.version.value());
    return starts;
  }

  std::shared_ptr<FileSystem> file_system_;
  std::string table_ = "/table";
};

INSTANTIATE_TEST_SUITE_P(Stores, LogSegmentTest, ::testing::Bool());

TEST_P(LogSegmentTest, NoLogIsNoTable) {
  EXPECT_EQ(*LogSegment::Find(*file_system_, table_), std::nullopt);
  EXPECT_EQ(*LogSegment::Find(*file_system_, "/nowhere/at/all"), std::nullopt);
  Put("unrelated.txt");
  EXPECT_EQ(*LogSegment::Find(*file_system_, table_), std::nullopt);
}

TEST_P(LogSegmentTest, CommitsAlone) {
  PutCommits(0, 3);
  const LogSegment segment = Find();
  EXPECT_EQ(segment.version, Version(3));
  EXPECT_EQ(segment.checkpoint_version, std::nullopt);
  EXPECT_THAT(Starts(segment), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(segment.last_commit->name, CommitFileName(Version(3)));
  EXPECT_THAT(Starts(Find(1)), ElementsAre(0, 1));
}

TEST_P(LogSegmentTest, StartsAtTheHint) {
  PutCommits(0, 5);
  Put(ClassicCheckpointFileName(Version(3)));
  Put(ChecksumFileName(Version(5)));
  for (const bool with_hint : {false, true}) {
    if (with_hint) PutHint(3);
    const LogSegment segment = Find();
    EXPECT_EQ(segment.checkpoint_version, Version(3));
    EXPECT_THAT(Starts(segment), ElementsAre(4, 5));
    EXPECT_TRUE(segment.checksum.has_value());
    EXPECT_THAT(Starts(Find(3)), IsEmpty());
    EXPECT_EQ(Find(3).checkpoint_version, Version(3));
    EXPECT_THAT(Starts(Find(2)), ElementsAre(0, 1, 2));
  }
}

TEST_P(LogSegmentTest, AHintThatLeadsNowhereIsPassedOver) {
  PutCommits(0, 5);
  Put(ClassicCheckpointFileName(Version(2)));
  PutHint(4);
  EXPECT_EQ(Find().checkpoint_version, Version(2));
  PutHint(9);
  EXPECT_EQ(Find().version, Version(5));
  Put("_last_checkpoint", "garbage");
  EXPECT_EQ(Find().checkpoint_version, Version(2));
}

TEST_P(LogSegmentTest, AnOldHintOfACleanedLogDoesNotHideWhatFollows) {
  PutCommits(0, 9);
  Put(ClassicCheckpointFileName(Version(2)));
  Put(ClassicCheckpointFileName(Version(8)));
  PutHint(2);
  for (int64_t version = 0; version <= 7; ++version) Remove(CommitFileName(Version(version)));
  const LogSegment segment = Find();
  EXPECT_EQ(segment.version, Version(9));
  EXPECT_EQ(segment.checkpoint_version, Version(8));
}

TEST_P(LogSegmentTest, MultiPartCheckpointsNeedAllParts) {
  PutCommits(0, 4);
  Put(MultiPartCheckpointFileName(Version(3), 1, 2));
  EXPECT_EQ(Find().checkpoint_version, std::nullopt);
  PutHint(3, ",\"parts\":2");
  EXPECT_EQ(Find().checkpoint_version, std::nullopt);
  Put(MultiPartCheckpointFileName(Version(3), 2, 2));
  const LogSegment segment = Find();
  EXPECT_EQ(segment.checkpoint_version, Version(3));
  EXPECT_EQ(segment.checkpoint.size(), 2u);
  EXPECT_THAT(Starts(segment), ElementsAre(4));
}

TEST_P(LogSegmentTest, UuidNamedCheckpoints) {
  PutCommits(0, 2);
  const std::string name =
      UuidCheckpointFileName(Version(1), "80a083e8-7026-4e79-81be-64bd76c43a11", "json");
  Put(name);
  Put(ClassicCheckpointFileName(Version(1)));
  PutHint(1, ",\"v2Checkpoint\":{\"path\":\"" + name + "\"}");
  const LogSegment segment = Find();
  ASSERT_EQ(segment.checkpoint.size(), 1u);
  EXPECT_EQ(segment.checkpoint[0].name, name);
  EXPECT_TRUE(segment.checkpoint[0].is_json);
}

TEST_P(LogSegmentTest, CompactionsReplaceTheirCommits) {
  PutCommits(0, 7);
  Put(CompactionFileName(Version(1), Version(2)));
  Put(CompactionFileName(Version(1), Version(4)));
  Put(CompactionFileName(Version(3), Version(5)));
  Put(CompactionFileName(Version(6), Version(9)));
  const LogSegment segment = Find();
  EXPECT_THAT(Starts(segment), ElementsAre(0, 1, 5, 6, 7));
  EXPECT_EQ(segment.deltas[1].end_version, Version(4));
  EXPECT_THAT(Starts(Find(3)), ElementsAre(0, 1, 3));
}

TEST_P(LogSegmentTest, GapsAreCorruption) {
  PutCommits(0, 1);
  Put(CommitFileName(Version(3)));
  const Error error = FindError();
  EXPECT_EQ(error.error_class(), ErrorClass::DELTA_VERSIONS_NOT_CONTIGUOUS);
  EXPECT_EQ(error.kind(), ErrorKind::kCorruption);
  EXPECT_EQ(error.parameters().at("versionList"), "0, 1, 3");
  EXPECT_EQ(Find(1).version, Version(1));
}

TEST_P(LogSegmentTest, ALogWithoutItsBeginningIsCorruption) {
  PutCommits(4, 6);
  EXPECT_EQ(FindError().error_class(), ErrorClass::DELTA_TRUNCATED_TRANSACTION_LOG);
  Remove(CommitFileName(Version(4)));
  Remove(CommitFileName(Version(5)));
  Remove(CommitFileName(Version(6)));
  Put(MultiPartCheckpointFileName(Version(3), 1, 2));
  EXPECT_EQ(FindError().error_class(), ErrorClass::DELTA_MISSING_PART_FILES);
}

TEST_P(LogSegmentTest, VersionsThatDoNotExist) {
  PutCommits(4, 6);
  Put(ClassicCheckpointFileName(Version(5)));
  PutHint(5);
  for (const int64_t version : {-1, 3, 4, 7}) {
    const Error error = FindError(version);
    EXPECT_EQ(error.error_class(), ErrorClass::DELTA_VERSION_NOT_FOUND) << version;
    EXPECT_EQ(error.parameters().at("earliest"), "5");
    EXPECT_EQ(error.parameters().at("latest"), "6");
  }
  EXPECT_EQ(Find(5).version, Version(5));
}

TEST_P(LogSegmentTest, UpdatesByWhatIsNew) {
  PutCommits(0, 2);
  const LogSegment segment = Find();
  EXPECT_TRUE(FindUpdate(*file_system_, segment)->new_commits.empty());
  PutCommits(3, 4);
  auto update = FindUpdate(*file_system_, segment);
  ASSERT_TRUE(update.ok());
  EXPECT_FALSE(update->replaced);
  EXPECT_EQ(update->new_commits.size(), 2u);
  EXPECT_EQ(*Extend(*file_system_, segment, update->new_commits), Find());

  Put(ClassicCheckpointFileName(Version(3)));
  PutHint(3);
  EXPECT_EQ(*Extend(*file_system_, segment, update->new_commits), Find());
}

TEST_P(LogSegmentTest, ALogThatWasReplacedIsNotUpdated) {
  PutCommits(0, 2);
  const LogSegment segment = Find();
  Put(CommitFileName(Version(2)), "{ }");
  EXPECT_TRUE(FindUpdate(*file_system_, segment)->replaced);
  Remove(CommitFileName(Version(2)));
  EXPECT_TRUE(FindUpdate(*file_system_, segment)->replaced);
}

TEST_P(LogSegmentTest, ListsCommitsInARange) {
  PutCommits(2, 6);
  const auto versions = [&](int64_t start, std::optional<int64_t> end) {
    auto commits = ListCommits(*file_system_, LogDirectory(table_), Version(start),
                               end ? std::optional(Version(*end)) : std::nullopt);
    std::vector<int64_t> found;
    for (const LogPath& commit : *commits) found.push_back(commit.version.value());
    return found;
  };
  EXPECT_THAT(versions(0, std::nullopt), ElementsAre(2, 3, 4, 5, 6));
  EXPECT_THAT(versions(3, 5), ElementsAre(3, 4, 5));
  EXPECT_THAT(versions(5, 9), ElementsAre(5, 6));
  EXPECT_THAT(versions(5, std::nullopt), ElementsAre(5, 6));
  EXPECT_THAT(versions(7, std::nullopt), IsEmpty());
  EXPECT_THAT(versions(3, 2), IsEmpty());
}

}  // namespace
}  // namespace merganser
