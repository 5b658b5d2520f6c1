#include "merganser/delta/protocol/action_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

using ::testing::SizeIs;

template <typename T>
T Only(std::string_view line) {
  auto actions = ParseActions(line, "0.json");
  EXPECT_TRUE(actions.ok()) << line;
  if (!actions.ok() || actions->size() != 1) return T();
  const T* action = std::get_if<T>(&actions->front());
  EXPECT_NE(action, nullptr) << line;
  return action != nullptr ? *action : T();
}

/// The line reads into `action` and `action` writes the line.
template <typename T>
void ExpectBothWays(const std::string& line, const T& action) {
  EXPECT_EQ(Only<T>(line), action);
  EXPECT_EQ(ToJson(action), line);
}

DeletionVectorDescriptor AVector() {
  return {.storage = DeletionVectorDescriptor::Storage::kRelativeFile,
          .path_or_inline_dv = "ab^-aqEH.-t@S}K{vb[*k^",
          .offset = 4,
          .size_in_bytes = 40,
          .cardinality = 6};
}

TEST(ActionJsonTest, ProtocolBothWays) {
  ExpectBothWays(R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})",
                 Protocol{1, 2, {}, {}});
  ExpectBothWays(
      R"({"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[],"writerFeatures":["appendOnly","rowTracking"]}})",
      Protocol{3, 7, std::vector<std::string>(),
               std::vector<std::string>{"appendOnly", "rowTracking"}});
}

TEST(ActionJsonTest, MetadataBothWays) {
  Metadata metadata;
  metadata.id = "af23c9d7";
  metadata.name = "t";
  metadata.schema_string = "{\"type\":\"struct\",\"fields\":[]}";
  metadata.partition_columns = {"p"};
  metadata.configuration = {{"delta.appendOnly", "true"}};
  metadata.created_time = 5;
  ExpectBothWays(
      R"({"metaData":{"id":"af23c9d7","name":"t","format":{"provider":"parquet","options":{}},)"
      R"("schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":["p"],)"
      R"("configuration":{"delta.appendOnly":"true"},"createdTime":5}})",
      metadata);
}

TEST(ActionJsonTest, AddFileBothWays) {
  AddFile file;
  file.path = "p=1/a%20b.parquet";
  file.partition_values = {{"p", "1"}, {"q", std::nullopt}};
  file.size = 841454;
  file.modification_time = 1512909768000;
  file.stats = "{\"numRecords\":1}";
  file.tags = StringMap{{"k", "v"}};
  file.deletion_vector = AVector();
  file.base_row_id = 4071;
  file.default_row_commit_version = 41;
  file.clustering_provider = "liquid";
  ExpectBothWays(
      R"({"add":{"path":"p=1/a%20b.parquet","partitionValues":{"p":"1","q":null},"size":841454,)"
      R"("modificationTime":1512909768000,"dataChange":true,"stats":"{\"numRecords\":1}","tags":{"k":"v"},)"
      R"("deletionVector":{"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","offset":4,)"
      R"("sizeInBytes":40,"cardinality":6},"baseRowId":4071,"defaultRowCommitVersion":41,"clusteringProvider":"liquid"}})",
      file);
  EXPECT_EQ(AVector().UniqueId(), "uab^-aqEH.-t@S}K{vb[*k^@4");
}

TEST(ActionJsonTest, RemoveFileBothWays) {
  RemoveFile file;
  file.path = "x";
  ExpectBothWays(R"({"remove":{"path":"x","dataChange":true}})", file);
  file.deletion_timestamp = 7;
  file.data_change = false;
  file.extended_file_metadata = true;
  file.partition_values = PartitionValues{};
  file.size = 0;
  ExpectBothWays(
      R"({"remove":{"path":"x","deletionTimestamp":7,"dataChange":false,"extendedFileMetadata":true,"partitionValues":{},"size":0}})",
      file);
}

TEST(ActionJsonTest, SmallActionsBothWays) {
  ExpectBothWays(
      R"({"cdc":{"path":"_change_data/c","partitionValues":{},"size":3,"dataChange":false}})",
      AddCdcFile{.path = "_change_data/c", .partition_values = {}, .size = 3, .tags = {}});
  ExpectBothWays(R"({"txn":{"appId":"a","version":4,"lastUpdated":9}})",
                 SetTransaction{.app_id = "a", .version = 4, .last_updated = 9});
  ExpectBothWays(R"({"domainMetadata":{"domain":"d","configuration":"{}","removed":true}})",
                 DomainMetadata{.domain = "d", .configuration = "{}", .removed = true});
  ExpectBothWays(R"({"checkpointMetadata":{"version":3,"tags":{}}})",
                 CheckpointMetadata{.version = Version(3), .tags = StringMap()});
  ExpectBothWays(
      R"({"sidecar":{"path":"s.parquet","sizeInBytes":2,"modificationTime":1}})",
      Sidecar{.path = "s.parquet", .size_in_bytes = 2, .modification_time = 1, .tags = {}});
}

TEST(ActionJsonTest, CommitInfoKeepsWhatItDoesNotKnow) {
  const std::string line =
      R"({"commitInfo":{"inCommitTimestamp":8,"timestamp":7,"operation":"WRITE",)"
      R"("operationParameters":{"mode":"Append","partitionBy":"[]","statsOnLoad":false},)"
      R"("notebook":{"notebookId":"1"},"readVersion":3,"isBlindAppend":true,"operationMetrics":{"numFiles":"1"},"txnId":"t"}})";
  const auto info = Only<CommitInfo>(line);
  EXPECT_EQ(info.in_commit_timestamp, 8);
  EXPECT_EQ(info.operation, "WRITE");
  EXPECT_EQ(info.operation_parameters.at("mode"), "\"Append\"");
  EXPECT_EQ(info.operation_parameters.at("statsOnLoad"), "false");
  EXPECT_EQ(info.is_blind_append, true);
  EXPECT_EQ(info.other.at("notebook"), R"({"notebookId":"1"})");
  EXPECT_EQ(ToJson(info), line);
  // A member of an unexpected type is no error: implementations may store what they like.
  EXPECT_EQ(Only<CommitInfo>(R"({"commitInfo":{"readVersion":"x","operationMetrics":{"n":1}}})")
                .other.at("readVersion"),
            "\"x\"");
}

TEST(ActionJsonTest, IgnoresUnknownActionsFieldsNullsAndBlankLines) {
  const auto actions = ParseActions(
      "{\"future\":{\"x\":1}}\n\n  \r\n{\"txn\":{\"appId\":\"a\",\"version\":1,\"new\":[1,{}]}}\r\n"
      "{\"add\":null,\"remove\":{\"path\":\"x\",\"dataChange\":true,\"tags\":null}}\n{}",
      "0.json");
  ASSERT_TRUE(actions.ok());
  EXPECT_THAT(*actions, SizeIs(2));
}

TEST(ActionJsonTest, SkipsWhatIsNotWanted) {
  ActionCollector collector;
  // A malformed action that nobody asked for is not looked at.
  ASSERT_TRUE(ReadActions("{\"add\":{\"path\":1}}\n{\"txn\":{\"appId\":\"a\",\"version\":1}}",
                          "0.json", ActionSet::kSetTransaction, collector)
                  .ok());
  EXPECT_THAT(collector.actions(), SizeIs(1));
}

TEST(ActionJsonTest, NamesTheFileAndTheLineThatIsMalformed) {
  const char* const malformed[] = {
      "{",
      "no json",
      "[]",
      R"({"add":{"path":"x"})",
      R"({"add":{}})",
      R"({"add":{"path":""}})",
      R"({"add":{"path":"x","size":"1"}})",
      R"({"add":{"path":"x","partitionValues":[]}})",
      R"({"add":{"path":"x","deletionVector":{"storageType":"z"}}})",
      R"({"protocol":{"minReaderVersion":1}})",
      R"({"txn":{"version":1}})",
      R"({"metaData":"x"})",
      "{\"txn\":{\"appId\":\"\xff\",\"version\":1}}",
      R"({"txn":{"appId":"a","version":99999999999999999999}})",
  };
  for (const std::string line : malformed) {
    const auto actions =
        ParseActions("{\"commitInfo\":{}}\n" + line + "\n", "00000000000000000007.json");
    ASSERT_FALSE(actions.ok()) << line;
    EXPECT_EQ(actions.error().error_class(), ErrorClass::DELTA_LOG_CORRUPTED) << line;
    EXPECT_EQ(actions.error().kind(), ErrorKind::kCorruption);
    EXPECT_EQ(actions.error().parameters().at("file"), "00000000000000000007.json");
    EXPECT_EQ(actions.error().parameters().at("line"), "2") << line;
  }
}

}  // namespace
}  // namespace merganser
