#include "merganser/delta/log/log_replay.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/file_key.h"
#include "merganser/delta/log/text_checkpoint_codec.h"
#include "merganser/io/in_memory_file_system.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Collected final : public ReplaySink {
 public:
  void Add(const AddFile& file) override {
    live.push_back(file.path +
                   (file.deletion_vector ? "#" + file.deletion_vector->path_or_inline_dv : ""));
    if (file.stats) ++with_statistics;
  }
  void Remove(const RemoveFile& file) override { dead.push_back(file.path); }
  FileSink& Part(const CheckpointPlace&) override { return *this; }

  std::vector<std::string> live;
  std::vector<std::string> dead;
  int with_statistics = 0;
};

std::string Add(const std::string& path, const std::string& dv = "") {
  std::string line = "{\"add\":{\"path\":\"" + path +
                     "\",\"partitionValues\":{},\"size\":1,\"modificationTime\":1," +
                     "\"dataChange\":true,\"stats\":\"{}\"";
  if (!dv.empty()) {
    line += ",\"deletionVector\":{\"storageType\":\"i\",\"pathOrInlineDv\":\"" + dv +
            "\",\"sizeInBytes\":1,\"cardinality\":1}";
  }
  return line + "}}\n";
}

std::string Remove(const std::string& path, const std::string& dv = "") {
  std::string line = "{\"remove\":{\"path\":\"" + path + "\",\"dataChange\":true";
  if (!dv.empty()) {
    line += ",\"deletionVector\":{\"storageType\":\"i\",\"pathOrInlineDv\":\"" + dv +
            "\",\"sizeInBytes\":1,\"cardinality\":1}";
  }
  return line + "}}\n";
}

const std::string kProtocol = "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n";
const std::string kMetadata =
    "{\"metaData\":{\"id\":\"m\",\"format\":{\"provider\":\"parquet\",\"options\":{}},"
    "\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}\",\"partitionColumns\":[],"
    "\"configuration\":{}}}\n";

class LogReplayTest : public ::testing::Test {
 protected:
  void Put(const std::string& name, const std::string& text) {
    ASSERT_TRUE(memory_.Write("/t/_delta_log/" + name, text).ok());
  }
  void Commit(int64_t version, const std::string& text) {
    Put(CommitFileName(Version(version)), text);
  }

  ReplayedState Replay(ReplayOptions options = {}) {
    collected_ = Collected();
    const auto segment = LogSegment::Find(memory_, "/t");
    EXPECT_TRUE(segment.ok() && segment->has_value());
    auto state = ReplayLog(memory_, codec_, **segment, options, collected_);
    EXPECT_TRUE(state.ok()) << state.error().message();
    std::sort(collected_.live.begin(), collected_.live.end());
    std::sort(collected_.dead.begin(), collected_.dead.end());
    return state.ok() ? *state : ReplayedState();
  }

  InMemoryFileSystem memory_;
  TextCheckpointCodec codec_;
  Collected collected_;
};

TEST_F(LogReplayTest, TheNewestActionOfAFileCounts) {
  Commit(0, kProtocol + kMetadata + Add("a") + Add("b"));
  Commit(1, Remove("a") + Add("c"));
  Commit(2, Remove("c") + Add("a"));
  const ReplayOptions with_tombstones{.files = true, .tombstones = true, .statistics = true};
  Replay(with_tombstones);
  EXPECT_THAT(collected_.live, ElementsAre("a", "b"));
  EXPECT_THAT(collected_.dead, ElementsAre("c"));
  EXPECT_EQ(collected_.with_statistics, 2);
  Replay({.files = false, .tombstones = true});
  EXPECT_THAT(collected_.live, IsEmpty());
  EXPECT_THAT(collected_.dead, ElementsAre("c"));
}

TEST_F(LogReplayTest, DeletionVectorsTellFilesApart) {
  Commit(0, kProtocol + kMetadata + Add("a"));
  Commit(1, Remove("a") + Add("a", "one"));
  Commit(2, Remove("a", "one") + Add("a", "two"));
  Replay();
  EXPECT_THAT(collected_.live, ElementsAre("a#two"));
}

TEST_F(LogReplayTest, TheLastLineOfACommitCounts) {
  Commit(0, kProtocol + kMetadata + Add("a") + Remove("a") + Remove("b") + Add("b"));
  Replay();
  EXPECT_THAT(collected_.live, ElementsAre("b"));
}

TEST_F(LogReplayTest, SpellingsOfOnePathAreOneFile) {
  Commit(0, kProtocol + kMetadata + Add("/x/a%20b") + Add("p%3D1") + Add("plain"));
  Commit(1, Remove("file:///x/a b") + Remove("p=1"));
  Replay();
  EXPECT_THAT(collected_.live, ElementsAre("plain"));
  EXPECT_EQ(FileKey("/x/a%20b", {}), FileKey("file:/x/a b", {}));
  EXPECT_NE(FileKey("a", {}), FileKey("b", {}));
}

TEST_F(LogReplayTest, StateIsTheNewestOfEachKey) {
  Commit(0, kProtocol + kMetadata + R"({"txn":{"appId":"x","version":1}})" + "\n" +
                R"({"domainMetadata":{"domain":"d","configuration":"1","removed":false}})" + "\n" +
                R"({"domainMetadata":{"domain":"e","configuration":"1","removed":false}})");
  Commit(1, R"({"commitInfo":{"operation":"WRITE"}})"
            "\n"
            R"({"txn":{"appId":"x","version":7}})"
            "\n"
            R"({"txn":{"appId":"y","version":2}})"
            "\n"
            R"({"domainMetadata":{"domain":"d","configuration":"1","removed":true}})");
  const ReplayedState state = Replay();
  EXPECT_EQ(state.set_transactions.at("x").version, 7);
  EXPECT_EQ(state.set_transactions.at("y").version, 2);
  EXPECT_EQ(state.domain_metadata.size(), 1u);
  EXPECT_EQ(state.domain_metadata.count("e"), 1u);
  EXPECT_EQ(state.last_commit_info->operation, "WRITE");
  EXPECT_EQ(state.protocol->min_writer_version, 2);
  EXPECT_EQ(state.metadata->id, "m");
}

TEST_F(LogReplayTest, CheckpointsAndTheirSidecars) {
  Commit(0, kProtocol + kMetadata + Add("gone"));
  Commit(1, R"({"commitInfo":{"operation":"OPTIMIZE"}})");
  Put(UuidCheckpointFileName(Version(1), "80a083e8-7026-4e79-81be-64bd76c43a11", "json"),
      R"({"checkpointMetadata":{"version":1}})"
      "\n" +
          kProtocol + kMetadata +
          R"({"sidecar":{"path":"s1.parquet","sizeInBytes":1,"modificationTime":1}})"
          "\n"
          R"({"sidecar":{"path":"file:/t/_delta_log/_sidecars/s%32.parquet","sizeInBytes":1,"modificationTime":1}})");
  Put("_sidecars/s1.parquet", Add("a") + Add("b") + Remove("old"));
  Put("_sidecars/s2.parquet", Add("c"));
  ReplayedState state = Replay();
  EXPECT_THAT(collected_.live, ElementsAre("a", "b", "c"));
  EXPECT_EQ(state.last_commit_info->operation, "OPTIMIZE");

  Commit(2, Remove("b") + Add("a"));
  const ReplayOptions with_tombstones{.files = true, .tombstones = true, .statistics = false};
  Replay(with_tombstones);
  EXPECT_THAT(collected_.live, ElementsAre("a", "c"));
  EXPECT_THAT(collected_.dead, ElementsAre("b", "old"));
}

TEST_F(LogReplayTest, SidecarsStayInTheirFolder) {
  Commit(0, kProtocol + kMetadata);
  Put(UuidCheckpointFileName(Version(0), "80a083e8-7026-4e79-81be-64bd76c43a11", "json"),
      kProtocol + kMetadata +
          R"({"sidecar":{"path":"../../x","sizeInBytes":1,"modificationTime":1}})");
  const auto segment = LogSegment::Find(memory_, "/t");
  const auto state = ReplayLog(memory_, codec_, **segment, {}, collected_);
  ASSERT_FALSE(state.ok());
  EXPECT_EQ(state.error().error_class(), ErrorClass::DELTA_PATH_OUTSIDE_TABLE);
}

TEST_F(LogReplayTest, MultiPartCheckpoints) {
  Commit(1, "{}");
  Put(MultiPartCheckpointFileName(Version(1), 1, 2), Add("a") + kMetadata);
  Put(MultiPartCheckpointFileName(Version(1), 2, 2), kProtocol + Add("b"));
  const ReplayedState state = Replay();
  EXPECT_THAT(collected_.live, ElementsAre("a", "b"));
  EXPECT_TRUE(state.protocol && state.metadata);
}

TEST_F(LogReplayTest, CompactionsStandForTheirCommits) {
  Commit(0, kProtocol + kMetadata + Add("a"));
  Commit(1, Remove("a") + Add("b"));
  Commit(2, R"({"commitInfo":{"operation":"MERGE"}})"
            "\n" +
                Remove("b") + Add("c"));
  Put(CompactionFileName(Version(1), Version(2)), Remove("a") + Remove("b") + Add("c"));
  const ReplayedState state = Replay();
  EXPECT_THAT(collected_.live, ElementsAre("c"));
  EXPECT_EQ(state.last_commit_info->operation, "MERGE");
}

TEST_F(LogReplayTest, CompactionsThatWereNotReconciledAreNotBelieved) {
  Commit(0, kProtocol + kMetadata + Add("a"));
  Commit(1, Remove("a") + Add("b"));
  Commit(2, Remove("b") + Add("c"));
  Put(CompactionFileName(Version(1), Version(2)), Remove("b") + Add("c") + Remove("a") + Add("b"));
  Replay();
  EXPECT_THAT(collected_.live, ElementsAre("c"));
}

TEST_F(LogReplayTest, StateWithoutFiles) {
  Commit(0, kProtocol + kMetadata + "{\"add\":{\"path\":7}}\n");
  ReplayOptions options;
  options.files = false;
  EXPECT_TRUE(Replay(options).protocol.has_value());
  EXPECT_THAT(collected_.live, IsEmpty());
}

TEST_F(LogReplayTest, ADamagedCommitIsNamed) {
  Commit(0, kProtocol + kMetadata);
  Commit(1, "{\"add\":");
  const auto segment = LogSegment::Find(memory_, "/t");
  const auto state = ReplayLog(memory_, codec_, **segment, {}, collected_);
  ASSERT_FALSE(state.ok());
  EXPECT_EQ(state.error().error_class(), ErrorClass::DELTA_LOG_CORRUPTED);
  EXPECT_EQ(state.error().parameters().at("file"), "/t/_delta_log/00000000000000000001.json");
}

TEST_F(LogReplayTest, ReadsSingleCommits) {
  Commit(0, R"({"commitInfo":{"operation":"WRITE"}})"
            "\n" +
                Add("a"));
  EXPECT_EQ(ReadCommitActions(memory_, "/t/_delta_log", Version(0))->size(), 2u);
  EXPECT_EQ((*ReadCommitInfo(memory_, "/t/_delta_log", Version(0)))->operation, "WRITE");
  EXPECT_EQ(ReadCommitInfo(memory_, "/t/_delta_log", Version(1)).error().full_name(),
            "FAILED_READ_FILE.FILE_NOT_EXIST");
}

}  // namespace
}  // namespace merganser
