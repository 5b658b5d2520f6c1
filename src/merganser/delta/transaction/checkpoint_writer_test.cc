#include "merganser/delta/transaction/checkpoint_writer.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/json.h"
#include "merganser/delta/log/version_checksum.h"
#include "merganser/delta/table/table_fixture.h"
#include "merganser/delta/transaction/checksum_writer.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

StructType CheckpointedSchema() { return StructType({{"id", DataType::Long(), true, {}}}); }

std::vector<std::string> PathsOf(const Snapshot& snapshot) {
  std::vector<std::string> paths;
  snapshot.files().ForEach([&](const FileView& file) { paths.emplace_back(file.path()); });
  return paths;
}

class CheckpointWriterTest : public ::testing::Test {
 protected:
  CheckpointWriterTest() : table_(CheckpointedSchema()) {}

  /// Five files, of which one is removed again, an application and a domain.
  SnapshotRef Fill() {
    table_.Create({MakeFile("a"), MakeFile("b"), MakeFile("c")});
    table_.Commit({MakeFile("d"), MakeFile("e"), MakeRemove("b"), SetTransaction{"app", 7, {}},
                   DomainMetadata{"owner", "{}", false}});
    return Load();
  }
  SnapshotRef Load() const {
    auto snapshot = table_.Load();
    EXPECT_TRUE(snapshot.ok());
    return snapshot.ok() ? *snapshot : nullptr;
  }
  void UseV2() {
    table_.protocol = {3, 7, std::vector<std::string>{"v2Checkpoint"},
                       std::vector<std::string>{"v2Checkpoint"}};
    table_.metadata.configuration["delta.checkpointPolicy"] = "v2";
  }
  /// What is left of the log when everything below the checkpoint is gone.
  SnapshotRef LoadWithoutCommits() {
    for (const char* name : {"00000000000000000000.json", "00000000000000000001.json"})
      (void)table_.memory->Delete(JoinPath(LogDirectory(TableFixture::kPath), name));
    return Load();
  }
  size_t Names(const std::string& folder, const std::string& part) const {
    const auto entries = table_.memory->List(folder, {});
    size_t count = 0;
    for (const FileEntry& entry : *entries) count += entry.name.find(part) != std::string::npos;
    return count;
  }

  TableFixture table_;
  std::string log_ = LogDirectory(TableFixture::kPath);
};

TEST_F(CheckpointWriterTest, APartSizeCutsAClassicCheckpoint) {
  const SnapshotRef snapshot = Fill();
  ASSERT_TRUE(WriteCheckpoint(*snapshot, 0, {.part_size = 3}).ok());
  EXPECT_EQ(Names(log_, ".checkpoint.0000000001.0000000002.parquet"), 1u);
  EXPECT_EQ(Names(log_, ".checkpoint.0000000002.0000000002.parquet"), 1u);
  EXPECT_EQ(ReadLastCheckpoint(*table_.memory, log_)->parts, 2);
  const SnapshotRef read = LoadWithoutCommits();
  EXPECT_THAT(PathsOf(*read), UnorderedElementsAre("a", "c", "d", "e"));
  EXPECT_EQ(read->TransactionVersion("app"), 7);
  EXPECT_EQ(read->domain_metadata().count("owner"), 1u);
}

TEST_F(CheckpointWriterTest, AV2CheckpointKeepsFilesInSidecars) {
  UseV2();
  for (const bool json : {false, true}) {
    SCOPED_TRACE(json ? "json" : "parquet");
    table_.memory = std::make_shared<InMemoryFileSystem>();
    TableFixture fresh(CheckpointedSchema());
    fresh.protocol = table_.protocol;
    fresh.metadata = table_.metadata;
    table_ = fresh;
    const SnapshotRef snapshot = Fill();
    ASSERT_TRUE(WriteCheckpoint(*snapshot, 0, {.part_size = 3, .json_main_file = json}).ok());
    EXPECT_EQ(Names(JoinPath(log_, kSidecarDirectory), ".parquet"), 2u);
    EXPECT_EQ(Names(log_, json ? ".json" : ".parquet"), json ? 3u : 1u);
    const SnapshotRef read = LoadWithoutCommits();
    EXPECT_THAT(PathsOf(*read), UnorderedElementsAre("a", "c", "d", "e"));
    EXPECT_EQ(read->TransactionVersion("app"), 7);
  }
}

TEST_F(CheckpointWriterTest, TheHintNamesAV2Checkpoint) {
  UseV2();
  const SnapshotRef snapshot = Fill();
  ASSERT_TRUE(WriteCheckpoint(*snapshot, 0).ok());
  const auto hint = ReadLastCheckpoint(*table_.memory, log_);
  ASSERT_TRUE(hint && hint->v2_checkpoint);
  const auto main = Json::Parse(*hint->v2_checkpoint);
  ASSERT_TRUE(main.ok());
  EXPECT_TRUE(*table_.memory->Exists(JoinPath(log_, main->string_or("path"))));
  EXPECT_EQ(main->find("sidecarFiles")->items().size(), 1u);
}

TEST_F(CheckpointWriterTest, AChecksumSaysWhatReplayFinds) {
  const SnapshotRef snapshot = Fill();
  ASSERT_TRUE(WriteChecksum(*snapshot, "id-of-commit").ok());
  const auto bytes = table_.memory->Read(JoinPath(log_, ChecksumFileName(snapshot->version())));
  ASSERT_TRUE(bytes.ok());
  auto checksum = ParseVersionChecksum(*bytes);
  ASSERT_TRUE(checksum);
  EXPECT_EQ(checksum->txn_id, "id-of-commit");
  EXPECT_EQ(checksum->num_files, 4);
  EXPECT_EQ(checksum->table_size_bytes, 4);
  checksum->txn_id.reset();
  EXPECT_EQ(*checksum, ChecksumOf(*Load()));
}

TEST_F(CheckpointWriterTest, AChecksumSparesReadingTheStateOfACheckpoint) {
  const SnapshotRef snapshot = Fill();
  ASSERT_TRUE(WriteCheckpoint(*snapshot, 0).ok());
  // A checksum is believed: only then does this one show.
  VersionChecksum checksum = ChecksumOf(*snapshot);
  checksum.set_transactions->push_back(SetTransaction{"only in the checksum", 3, {}});
  table_.Put(ChecksumFileName(snapshot->version()), ToJson(checksum));
  const SnapshotRef read = Load();
  EXPECT_EQ(read->TransactionVersion("only in the checksum"), 3);
  EXPECT_EQ(read->TransactionVersion("app"), 7);
  EXPECT_THAT(PathsOf(*read), UnorderedElementsAre("a", "c", "d", "e"));
  // A damaged one is as good as none.
  table_.Put(ChecksumFileName(snapshot->version()), "{\"tableSizeBytes\":");
  EXPECT_EQ(Load()->TransactionVersion("only in the checksum"), std::nullopt);
  EXPECT_EQ(Load()->TransactionVersion("app"), 7);
}

}  // namespace
}  // namespace merganser
