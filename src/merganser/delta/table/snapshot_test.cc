#include "merganser/delta/table/snapshot.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/table/table_fixture.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Paths(const Snapshot& snapshot) {
  std::vector<std::string> paths;
  snapshot.files().ForEach([&](FileView file) { paths.emplace_back(file.path()); });
  std::sort(paths.begin(), paths.end());
  return paths;
}

const StructType kSchema({{"a", DataType::Long()}, {"p", DataType::String()}});

TEST(SnapshotTest, AFolderWithoutLogIsNoTable) {
  const TableFixture table;
  const auto snapshot = table.Load();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_EQ(*snapshot, nullptr);
}

TEST(SnapshotTest, HoldsTheStateOfAVersion) {
  TableFixture table(kSchema);
  table.metadata.partition_columns = {"p"};
  table.Create({MakeFile("x")}, 1000);
  table.Commit({MakeFile("y"), SetTransaction{.app_id = "app", .version = 3}}, 2000);
  table.Commit({MakeRemove("x"), DomainMetadata{.domain = "d", .configuration = "{}"}}, 3000);

  const SnapshotRef latest = *table.Load();
  EXPECT_EQ(latest->version(), Version(2));
  EXPECT_THAT(Paths(*latest), ElementsAre("y"));
  EXPECT_EQ(latest->schema(), kSchema);
  EXPECT_TRUE(latest->is_partition_column("P"));
  EXPECT_EQ(latest->TransactionVersion("app"), 3);
  EXPECT_EQ(latest->TransactionVersion("other"), std::nullopt);
  EXPECT_EQ(latest->domain_metadata().count("d"), 1u);
  EXPECT_EQ(latest->timestamp(), 3000);
  EXPECT_TRUE(latest->Supports("appendOnly"));
  EXPECT_EQ(latest->ReadTombstones()->size(), 1u);

  const SnapshotRef first = *table.Load(Version(0));
  EXPECT_THAT(Paths(*first), ElementsAre("x"));
  EXPECT_EQ(first->timestamp(), 1000);
  EXPECT_EQ(table.Load(Version(7)).error().error_class(), ErrorClass::DELTA_VERSION_NOT_FOUND);
}

TEST(SnapshotTest, CheckpointsMakeTheSameSnapshot) {
  TableFixture table(kSchema);
  table.Create({MakeFile("x"), MakeFile("y")});
  table.Commit({MakeRemove("x"), MakeFile("z")});
  const SnapshotRef from_commits = *table.Load();
  table.Put(
      ClassicCheckpointFileName(Version(1)),
      ToJsonLines({table.protocol, table.metadata, MakeFile("y"), MakeFile("z"), MakeRemove("x")}));
  const SnapshotRef from_checkpoint = *table.Load();
  EXPECT_EQ(from_checkpoint->segment().checkpoint_version, Version(1));
  EXPECT_EQ(Paths(*from_checkpoint), Paths(*from_commits));
  EXPECT_EQ(from_checkpoint->metadata(), from_commits->metadata());
}

TEST(SnapshotTest, RefreshSharesWhatDidNotChange) {
  TableFixture table(kSchema);
  table.Create({MakeFile("x"), MakeFile("y"), SetTransaction{.app_id = "a", .version = 1},
                DomainMetadata{.domain = "d", .configuration = "1"}});
  const SnapshotRef before = *table.Load();
  EXPECT_EQ(*before->Refresh(), before);

  table.Commit({MakeRemove("x"), MakeFile("z"), SetTransaction{.app_id = "a", .version = 2}}, 5000);
  Metadata renamed = table.metadata;
  renamed.configuration["delta.appendOnly"] = "true";
  table.Commit({renamed, DomainMetadata{.domain = "d", .configuration = "1", .removed = true}},
               6000);
  const SnapshotRef after = *before->Refresh();
  const SnapshotRef loaded = *table.Load();
  EXPECT_EQ(after->version(), Version(2));
  EXPECT_EQ(Paths(*after), Paths(*loaded));
  EXPECT_THAT(Paths(*after), ElementsAre("y", "z"));
  EXPECT_TRUE(after->properties().append_only());
  EXPECT_EQ(after->TransactionVersion("a"), 2);
  EXPECT_TRUE(after->domain_metadata().empty());
  EXPECT_EQ(after->timestamp(), 6000);
  EXPECT_EQ(after->segment(), loaded->segment());
  EXPECT_THAT(Paths(*before), ElementsAre("x", "y"));
}

TEST(SnapshotTest, RefreshOfATableThatWasReplaced) {
  TableFixture table(kSchema);
  table.Create({MakeFile("x")});
  const SnapshotRef before = *table.Load();
  TableFixture other(kSchema);
  other.memory = table.memory;
  other.Create({MakeFile("new")}, 9000);
  EXPECT_THAT(Paths(**before->Refresh()), ElementsAre("new"));
  ASSERT_TRUE(table.memory->DeleteDirectory("/table").ok());
  EXPECT_EQ(*before->Refresh(), nullptr);
}

TEST(SnapshotTest, InCommitTimestamps) {
  TableFixture table(kSchema);
  table.metadata.configuration["delta.enableInCommitTimestamps"] = "true";
  table.Create({CommitInfo{.in_commit_timestamp = 77}}, 1000);
  EXPECT_EQ((*table.Load())->timestamp(), 77);
  const SnapshotRef before = *table.Load();
  table.Commit({CommitInfo{.in_commit_timestamp = 78}}, 2000);
  EXPECT_EQ((*before->Refresh())->timestamp(), 78);
}

TEST(SnapshotTest, MappedColumnsHavePhysicalNames) {
  TableFixture table(StructType(
      {{"a",
        DataType::Long(),
        true,
        {{"delta.columnMapping.id", "1"}, {"delta.columnMapping.physicalName", "\"col-1\""}}}}));
  table.metadata.configuration["delta.columnMapping.mode"] = "name";
  table.Create();
  // A protocol without column mapping does not honour the property.
  EXPECT_EQ((*table.Load())->physical_schema()[0].name, "a");
  table.protocol = {2, 5, {}, {}};
  table.Commit({table.protocol});
  EXPECT_EQ((*table.Load())->physical_schema()[0].name, "col-1");
  EXPECT_EQ((*table.Load())->column_mapping_mode(), ColumnMappingMode::kName);
}

TEST(SnapshotTest, UnknownFeaturesAreNamedBeforeAnythingElseFails) {
  TableFixture table(kSchema);
  table.protocol = {3, 7, std::vector<std::string>{"warpDrive"},
                    std::vector<std::string>{"warpDrive"}};
  table.Create();
  const std::string line = R"({"add":{"path":"x","deletionVector":{"storageType":"?"}}})";
  for (const bool damaged : {false, true}) {
    if (damaged) table.Put(CommitFileName(Version(1)), line);
    const auto snapshot = table.Load();
    ASSERT_FALSE(snapshot.ok());
    EXPECT_EQ(snapshot.error().error_class(), ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_READ);
    EXPECT_EQ(snapshot.error().parameters().at("unsupported"), "warpDrive");
    EXPECT_EQ(snapshot.error().parameters().at("tableNameOrPath"), "file:/table");
  }
}

TEST(SnapshotTest, ProtocolAndMetadataMustBeThere) {
  TableFixture table(kSchema);
  table.Commit({table.protocol});
  auto snapshot = table.Load();
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().error_class(), ErrorClass::DELTA_STATE_RECOVER_ERROR);
  EXPECT_EQ(snapshot.error().parameters().at("operation"), "Metadata");
  TableFixture other(kSchema);
  other.Commit({other.metadata});
  EXPECT_EQ(other.Load().error().parameters().at("operation"), "Protocol");
}

TEST(SnapshotTest, ADamagedSchemaIsCorruption) {
  TableFixture table;
  table.metadata.schema_string = "{";
  table.Create();
  EXPECT_EQ(table.Load().error().error_class(), ErrorClass::DELTA_SCHEMA_CORRUPTED);
  table.metadata.schema_string = "";
  table.Commit({table.metadata});
  EXPECT_TRUE((*table.Load())->schema().empty());
}

}  // namespace
}  // namespace merganser
