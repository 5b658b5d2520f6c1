#include "merganser/delta/log/log_path.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(LogPathTest, ReadsTheNamesItWrites) {
  const Version version(42);
  const auto commit = LogPath::Parse(CommitFileName(version));
  ASSERT_TRUE(commit);
  EXPECT_EQ(commit->kind, LogFileKind::kCommit);
  EXPECT_EQ(commit->version, version);
  EXPECT_EQ(commit->name, "00000000000000000042.json");

  EXPECT_EQ(LogPath::Parse(ClassicCheckpointFileName(version))->kind,
            LogFileKind::kClassicCheckpoint);
  EXPECT_EQ(LogPath::Parse(ChecksumFileName(version))->kind, LogFileKind::kChecksum);

  const auto part = LogPath::Parse(MultiPartCheckpointFileName(version, 2, 3));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->kind, LogFileKind::kMultiPartCheckpoint);
  EXPECT_EQ(part->part, 2);
  EXPECT_EQ(part->part_count, 3);
  EXPECT_TRUE(part->is_checkpoint());

  const auto uuid = LogPath::Parse(
      UuidCheckpointFileName(version, "80a083e8-7026-4e79-81be-64bd76c43a11", "json"));
  ASSERT_TRUE(uuid);
  EXPECT_EQ(uuid->kind, LogFileKind::kUuidCheckpoint);
  EXPECT_TRUE(uuid->is_json);

  const auto compaction = LogPath::Parse(CompactionFileName(Version(4), Version(6)));
  ASSERT_TRUE(compaction);
  EXPECT_EQ(compaction->kind, LogFileKind::kCompaction);
  EXPECT_EQ(compaction->version, Version(4));
  EXPECT_EQ(compaction->end_version, Version(6));
}

TEST(LogPathTest, OtherNamesAreNoFilesOfTheLog) {
  for (const char* name : {
           "",
           "_last_checkpoint",
           "1.json",
           "000000000000000000042.json",
           "0000000000000000004x.json",
           "-0000000000000000042.json",
           "99999999999999999999.json",
           "00000000000000000042.json.tmp",
           ".00000000000000000042.json.crc",
           "00000000000000000042.checkpoint.parquet.crc",
           "00000000000000000042.checkpoint.0000000003.0000000002.parquet",
           "00000000000000000042.checkpoint.0000000000.0000000002.parquet",
           "00000000000000000042.checkpoint..json",
           "00000000000000000042.checkpoint.uuid.orc",
           "00000000000000000006.00000000000000000004.compacted.json",
           "00000000000000000042.3a0d65cd-4056-49b8-937b-95f9e3ee90e5.json",
       }) {
    EXPECT_FALSE(LogPath::Parse(name)) << name;
  }
}

TEST(LogPathTest, NamesSortByVersion) {
  EXPECT_LT(FileNamesBefore(Version(5)), CommitFileName(Version(5)));
  EXPECT_GT(FileNamesBefore(Version(5)), CommitFileName(Version(4)));
  EXPECT_GT(FileNamesBefore(Version(5)), ClassicCheckpointFileName(Version(4)));
  EXPECT_EQ(LogDirectory("/t"), "/t/_delta_log");
}

}  // namespace
}  // namespace merganser
