#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"

#include <map>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"
#include "merganser/io/in_memory_file_system.h"
#include "merganser/io/local_file_system.h"

namespace merganser::engine {
namespace {

std::vector<Action> Examples() {
  Protocol protocol;
  protocol.min_reader_version = 3;
  protocol.min_writer_version = 7;
  protocol.reader_features = {"deletionVectors"};
  protocol.writer_features = {"deletionVectors", "domainMetadata"};
  Metadata metadata;
  metadata.id = "m";
  metadata.name = "table";
  metadata.format.options["k"] = "v";
  metadata.schema_string = R"({"type":"struct","fields":[]})";
  metadata.partition_columns = {"p", "q"};
  metadata.configuration["delta.enableDeletionVectors"] = "true";
  metadata.created_time = 5;
  AddFile full;
  full.path = "p=1/a%20b.parquet";
  full.partition_values = {{"p", "1"}, {"q", std::nullopt}};
  full.size = 10;
  full.modification_time = 20;
  full.data_change = false;
  full.stats = R"({"numRecords":3,"minValues":{"id":1,"s":{"t":"2024-01-01T00:00:00.000Z"}},)"
               R"("maxValues":{"id":9},"nullCount":{"id":0,"s":{"t":1}}})";
  full.tags.emplace()["tag"] = "x";
  full.deletion_vector = DeletionVectorDescriptor{
      DeletionVectorDescriptor::Storage::kRelativeFile, "ab^-aqEH.-t@S}K{vb[*k^", 4, 40, 2, 9};
  full.base_row_id = 100;
  full.default_row_commit_version = 3;
  full.clustering_provider = "liquid";
  AddFile plain;
  plain.path = "b.parquet";
  plain.data_change = false;
  RemoveFile remove;
  remove.path = "c.parquet";
  remove.deletion_timestamp = 30;
  remove.data_change = false;
  remove.extended_file_metadata = true;
  remove.partition_values = PartitionValues{{"p", "2"}};
  remove.size = 7;
  SetTransaction transaction{"app", 4, 50};
  DomainMetadata domain{"delta.x", "{}", false};
  return {protocol, metadata, full, plain, remove, transaction, domain};
}

class CheckpointCodecTest : public EngineTest {
 protected:
  CheckpointCodecTest() : codec_(MakeCheckpointCodec(TestDatabase())) {}

  CheckpointWritten Write(FileSystem& file_system, const std::string& path,
                          const CheckpointLayout& layout, const std::vector<Action>& actions) {
    auto written = codec_->Write(file_system, path, layout, [&](ActionVisitor& visitor) {
      for (const Action& action : actions) VisitAction(action, visitor);
      return Status::Ok();
    });
    EXPECT_TRUE(written.ok()) << written.error().message();
    return written.ok() ? *written : CheckpointWritten{};
  }

  std::vector<Action> Read(FileSystem& file_system, const std::string& path,
                           const CheckpointRead& read = {}) {
    ActionCollector collector;
    const Status status = codec_->Read(file_system, path, read, collector);
    EXPECT_TRUE(status.ok()) << status.error().message();
    return collector.Take();
  }

  LocalFileSystem local_;
  std::shared_ptr<CheckpointCodec> codec_;
};

TEST_F(CheckpointCodecTest, GivesBackWhatItWrote) {
  const auto written = Write(local_, Path("c.parquet"), {}, Examples());
  EXPECT_EQ(written.num_actions, 7);
  EXPECT_EQ(written.size_in_bytes,
            static_cast<int64_t>(std::filesystem::file_size(Path("c.parquet"))));
  EXPECT_EQ(Read(local_, Path("c.parquet")), Examples());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "no draft is left";
}

TEST_F(CheckpointCodecTest, WorksOnOtherFileSystems) {
  InMemoryFileSystem memory;
  ASSERT_TRUE(memory.CreateDirectories("/t").ok());
  Write(memory, "/t/c.parquet", {}, Examples());
  EXPECT_EQ(Read(memory, "/t/c.parquet"), Examples());
}

TEST_F(CheckpointCodecTest, ReadsOnlyWhatIsAskedFor) {
  Write(local_, Path("c.parquet"), {}, Examples());
  CheckpointRead read;
  read.actions = ActionSet::kProtocol | ActionSet::kSidecar;
  EXPECT_THAT(Read(local_, Path("c.parquet"), read), testing::ElementsAre(Examples()[0]));
  read.actions = ActionSet::kAdd;
  read.statistics = false;
  const auto files = Read(local_, Path("c.parquet"), read);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(std::get<AddFile>(files[0]).stats, std::nullopt);
}

TEST_F(CheckpointCodecTest, WritesAndReadsStatisticsAsStructs) {
  CheckpointLayout layout;
  layout.stats_as_json = false;
  layout.stats_as_struct = true;
  layout.statistics_columns = {{{"id"}, DataType::Long()},
                               {{"s", "t"}, DataType::Timestamp()},
                               {{"ok"}, DataType::Boolean(), false}};
  layout.partition_schema = StructType({{"p", DataType::Integer()}, {"q", DataType::Date()}});
  Write(local_, Path("c.parquet"), layout, Examples());
  EXPECT_EQ(Rows("SELECT add.stats_parsed.minValues, add.stats_parsed.nullCount, "
                 "add.partitionValues_parsed FROM read_parquet(" +
                 QuoteString(Path("c.parquet")) + ") WHERE add.path LIKE 'p=%'"),
            "[{\"id\":1,\"s\":{\"t\":\"2024-01-01 "
            "00:00:00\"}},{\"id\":0,\"s\":{\"t\":1},\"ok\":null},{\"p\":1,\"q\":null}]");
  CheckpointRead read;
  read.actions = ActionSet::kAdd;
  read.statistics_columns = layout.statistics_columns;
  const auto files = Read(local_, Path("c.parquet"), read);
  ASSERT_EQ(files.size(), 2u);
  const auto statistics =
      ParseStatistics(*std::get<AddFile>(files[0]).stats, layout.statistics_columns);
  ASSERT_TRUE(statistics.has_value());
  EXPECT_EQ(statistics->num_records, 3);
  EXPECT_EQ(*statistics->Find({"id"})->max, Scalar::Long(9));
  EXPECT_EQ(*statistics->Find({"s", "t"})->min, Scalar::Timestamp(1704067200000000));
  EXPECT_EQ(std::get<AddFile>(files[1]).stats, std::nullopt);
}

TEST_F(CheckpointCodecTest, KeepsSidecarsAndCheckpointMetadata) {
  const std::vector<Action> actions = {
      CheckpointMetadata{Version(9), StringMap{{"a", std::string("b")}}},
      Sidecar{"x.parquet", 11, 12, std::nullopt}};
  Write(local_, Path("c.parquet"), {}, actions);
  EXPECT_EQ(Read(local_, Path("c.parquet")), actions);
  // Delta on Spark refuses a checkpoint without the column.
  EXPECT_EQ(Rows("SELECT count(*) FROM parquet_schema(" + QuoteString(Path("c.parquet")) +
                 ") WHERE name = 'add'"),
            "[1]");
}

TEST_F(CheckpointCodecTest, ReadsManyFiles) {
  std::vector<Action> actions;
  for (int i = 0; i < 10000; ++i) {
    AddFile file;
    file.path = std::to_string(i);
    file.stats = "{\"numRecords\":" + std::to_string(i) + "}";
    actions.emplace_back(file);
  }
  Write(local_, Path("c.parquet"), {}, actions);
  EXPECT_EQ(Read(local_, Path("c.parquet")).size(), 10000u);
}

/// The paths of the files in one run.
class Paths final : public ActionVisitor {
 public:
  using ActionVisitor::Visit;
  void Visit(const AddFile& file) override { paths.push_back(file.path); }

  std::vector<std::string> paths;
};

TEST_F(CheckpointCodecTest, ReadsFilesInPartsThatMakeTheirOrder) {
  // Small row groups, and one that is cut for the threads.
  const std::vector<std::string> names = {Path("a.parquet"), Path("b.parquet")};
  const auto write = [this](const std::string& name, int rows, int row_group_size) {
    Run("COPY (SELECT {'path': '" + std::string(BaseName(name)) + "' || i, 'size': i} AS add " +
        "FROM range(" + std::to_string(rows) + ") r(i)) TO " + QuoteString(name) +
        " (FORMAT parquet, ROW_GROUP_SIZE " + std::to_string(row_group_size) + ")");
  };
  write(names[0], 10'000, 2048);
  write(names[1], 200'000, 200'000);
  for (const std::vector<std::string>& files : {names, {names[1]}, {names[0]}}) {
    std::mutex mutex;
    std::map<CheckpointPlace, Paths> parts;
    ASSERT_TRUE(codec_
                    ->ReadInParts(local_, files, {},
                                  [&](const CheckpointPlace& begin) -> ActionVisitor& {
                                    const std::lock_guard lock(mutex);
                                    EXPECT_FALSE(parts.contains(begin));
                                    return parts[begin];
                                  })
                    .ok());
    std::string read;
    size_t position = 0;
    CheckpointPlace next;
    for (const auto& [begin, part] : parts) {
      if (begin.file != next.file) next = {next.file + 1, 0};
      EXPECT_EQ(begin, next);
      next = {begin.file, begin.row + static_cast<int64_t>(part.paths.size())};
      for (const std::string& path : part.paths) {
        read += (position++ == 0 ? "[\"" : "\n[\"") + path + "\"]";
      }
    }
    std::string expected;
    for (const std::string& file : files) {
      if (!expected.empty()) expected += '\n';
      expected += Rows("SELECT add.path FROM read_parquet(" + QuoteString(file) +
                       ", file_row_number = true) ORDER BY file_row_number");
    }
    EXPECT_TRUE(read == expected);
  }
}

TEST_F(CheckpointCodecTest, NoticesThatAFileIsReplaced) {
  Write(local_, Path("c.parquet"), {}, Examples());
  Write(local_, Path("other.parquet"), {}, Examples());
  ActionCollector collector;
  const Status status = codec_->ReadInParts(
      local_, {Path("c.parquet")}, {}, [&](const CheckpointPlace&) -> ActionVisitor& {
        std::filesystem::rename(Path("other.parquet"), Path("c.parquet"));
        return collector;
      });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::FILE_SYSTEM_ERROR);
}

TEST_F(CheckpointCodecTest, FindsTheFewActionsAmongManyFiles) {
  // In a row group of their own, and in one that holds all.
  for (const auto& [rows, row_group_size] :
       {std::pair(10'000, 2048), std::pair(150'000, 150'000)}) {
    Run("COPY (SELECT CASE WHEN i <> 5000 THEN {'path': 'f' || i} END AS add, "
        "CASE WHEN i = 5000 THEN {'tags': MAP {'k': 'v'}, 'appId': 'a', 'version': 3} END AS txn, "
        "NULL::STRUCT(domain VARCHAR) AS \"domainMetadata\" FROM range(" +
        std::to_string(rows) + ") r(i)) TO " + QuoteString(Path("c.parquet")) +
        " (FORMAT parquet, ROW_GROUP_SIZE " + std::to_string(row_group_size) + ")");
    CheckpointRead read;
    read.actions = ActionSet::kSetTransaction | ActionSet::kDomainMetadata | ActionSet::kSidecar;
    EXPECT_THAT(Read(local_, Path("c.parquet"), read),
                testing::ElementsAre(SetTransaction{"a", 3, std::nullopt}));
    read.actions = ActionSet::kRemove;
    EXPECT_THAT(Read(local_, Path("c.parquet"), read), testing::IsEmpty());
  }
}

TEST_F(CheckpointCodecTest, RefusesActionsWithoutTheirKeyAmongMany) {
  Run("COPY (SELECT CASE WHEN i = 5000 THEN {'appId': NULL::VARCHAR, 'version': 3} END AS txn "
      "FROM range(150000) r(i)) TO " +
      QuoteString(Path("c.parquet")) + " (FORMAT parquet, ROW_GROUP_SIZE 150000)");
  CheckpointRead read;
  read.actions = ActionSet::kSetTransaction;
  ActionCollector collector;
  const Status status = codec_->Read(local_, Path("c.parquet"), read, collector);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_LOG_CORRUPTED);
}

TEST_F(CheckpointCodecTest, RefusesActionsWithoutTheirKey) {
  Run("COPY (SELECT {'path': NULL::VARCHAR, 'size': 3::BIGINT} AS add) TO " +
      QuoteString(Path("c.parquet")) + " (FORMAT parquet)");
  ActionCollector collector;
  const Status status = codec_->Read(local_, Path("c.parquet"), {}, collector);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_LOG_CORRUPTED);
  EXPECT_EQ(status.error().parameters().at("file"), Path("c.parquet"));
}

TEST_F(CheckpointCodecTest, NamesAFileThatIsNotThere) {
  ActionCollector collector;
  const Status status = codec_->Read(local_, Path("gone.parquet"), {}, collector);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().full_name(), "FAILED_READ_FILE.FILE_NOT_EXIST");
}

TEST_F(CheckpointCodecTest, PassesOnTheErrorOfTheProducer) {
  auto written = codec_->Write(local_, Path("c.parquet"), {},
                               [](ActionVisitor&) { return Status(Error::Internal("stop")); });
  ASSERT_FALSE(written.ok());
  EXPECT_FALSE(std::filesystem::exists(Path("c.parquet")));
}

}  // namespace
}  // namespace merganser::engine
