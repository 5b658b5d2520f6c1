#include "merganser/delta/transaction/transaction.h"

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "merganser/base/failpoint.h"
#include "merganser/delta/log/commit_reader.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/text_checkpoint_codec.h"
#include "merganser/delta/schema/schema_json.h"
#include "merganser/io/in_memory_file_system.h"

namespace merganser {
namespace {

StructType TableSchema() {
  return StructType({{"id", DataType::Long(), true, {}}, {"p", DataType::String(), true, {}}});
}

Metadata TableMetadata(StringMap configuration = {}) {
  Metadata metadata;
  metadata.id = "11111111-2222-3333-4444-555555555555";
  metadata.schema_string = ToSchemaJson(TableSchema());
  metadata.partition_columns = {"p"};
  metadata.configuration = std::move(configuration);
  // Checkpoints need an engine; these tests are about commits.
  metadata.configuration["delta.checkpointInterval"] = "1000000";
  return metadata;
}

AddFile NewFile(const std::string& path, const std::string& partition, int64_t first = 0,
                int64_t last = 9) {
  AddFile file;
  file.path = path;
  file.partition_values = {{"p", partition}};
  file.size = 100;
  file.stats = R"({"numRecords":10,"minValues":{"id":)" + std::to_string(first) +
               R"(},"maxValues":{"id":)" + std::to_string(last) + R"(},"nullCount":{"id":0}})";
  return file;
}

FilePredicate PartitionIs(const std::string& value) {
  return {{{{"p"}, PredicateOperator::kEqual, {Scalar::String(value)}}}};
}

class TransactionTest : public ::testing::Test {
 protected:
  TransactionTest() { options_.clock = &clock_; }

  FileLocation Location() const { return {file_system_, "/table", "memory:/table"}; }

  void CreateTable(StringMap configuration = {}) {
    Protocol protocol;
    protocol.min_reader_version = 1;
    protocol.min_writer_version = 2;
    Transaction transaction = Transaction::Create(Location(), codec_, options_);
    transaction.SetProtocol(protocol);
    transaction.SetMetadata(TableMetadata(std::move(configuration)));
    auto committed = std::move(transaction).Commit(Named("CREATE TABLE"));
    ASSERT_TRUE(committed.ok()) << committed.error().message();
    ASSERT_EQ(committed->version, Version(0));
  }

  SnapshotRef Latest() const {
    auto snapshot = Snapshot::Load(Location(), codec_);
    EXPECT_TRUE(snapshot.ok());
    return snapshot.ok() ? *snapshot : nullptr;
  }

  Transaction Start() const {
    auto transaction = Transaction::Start(Latest(), options_);
    EXPECT_TRUE(transaction.ok());
    return std::move(transaction).value();
  }

  static Operation Named(std::string name) {
    Operation operation;
    operation.name = std::move(name);
    return operation;
  }

  void Append(const AddFile& file) {
    Transaction transaction = Start();
    transaction.Add(file);
    ASSERT_TRUE(std::move(transaction).Commit(Named("WRITE")).ok());
  }

  ManualClock clock_{1'700'000'000'000};
  TransactionOptions options_;
  std::shared_ptr<CheckpointCodec> codec_ = std::make_shared<TextCheckpointCodec>();
  std::shared_ptr<FileSystem> file_system_ = std::make_shared<InMemoryFileSystem>();
};

TEST_F(TransactionTest, CommitsAreVersionsInOrder) {
  CreateTable();
  Append(NewFile("a.parquet", "x"));
  Append(NewFile("b.parquet", "x"));
  const SnapshotRef snapshot = Latest();
  EXPECT_EQ(snapshot->version(), Version(2));
  EXPECT_EQ(snapshot->files().size(), 2u);
}

TEST_F(TransactionTest, BlindAppendsNeverConflict) {
  CreateTable();
  Transaction first = Start();
  Transaction second = Start();
  first.Add(NewFile("a.parquet", "x"));
  second.Add(NewFile("b.parquet", "x"));
  ASSERT_TRUE(std::move(first).Commit(Named("WRITE")).ok());
  const auto committed = std::move(second).Commit(Named("WRITE"));
  ASSERT_TRUE(committed.ok()) << committed.error().message();
  EXPECT_EQ(committed->version, Version(2));
  EXPECT_EQ(Latest()->files().size(), 2u);
}

TEST_F(TransactionTest, AnAppendThatWasNotReadIsAConflict) {
  CreateTable();
  Transaction merge = Start();
  merge.ReadWholeTable();
  merge.Add(NewFile("m.parquet", "x"));
  Append(NewFile("a.parquet", "x"));
  const auto committed = std::move(merge).Commit(Named("MERGE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_CONCURRENT_APPEND);
  EXPECT_EQ(committed.error().kind(), ErrorKind::kConflict);
  EXPECT_EQ(Latest()->version(), Version(1));
}

TEST_F(TransactionTest, AnAppendToAnotherPartitionIsNoConflict) {
  CreateTable();
  Transaction merge = Start();
  merge.ReadPredicate(PartitionIs("x"));
  merge.Add(NewFile("m.parquet", "x"));
  Append(NewFile("a.parquet", "y"));
  EXPECT_TRUE(std::move(merge).Commit(Named("MERGE")).ok());
}

TEST_F(TransactionTest, AFileRemovedUnderAReaderIsAConflict) {
  CreateTable();
  Append(NewFile("a.parquet", "x"));
  Transaction merge = Start();
  merge.ReadPredicate(PartitionIs("x"));
  merge.ReadFile("a.parquet");
  merge.Add(NewFile("m.parquet", "x"));
  Transaction other = Start();
  other.Remove(TombstoneOf(Latest()->files().Files()[0], clock_.NowMillis()));
  ASSERT_TRUE(std::move(other).Commit(Named("DELETE")).ok());
  const auto committed = std::move(merge).Commit(Named("MERGE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_CONCURRENT_DELETE_READ);
}

TEST_F(TransactionTest, TwoRemovalsOfOneFileConflict) {
  CreateTable();
  Append(NewFile("a.parquet", "x"));
  const SnapshotRef snapshot = Latest();
  Transaction first = Start();
  Transaction second = Start();
  first.Remove(TombstoneOf(snapshot->files().Files()[0], clock_.NowMillis()));
  second.Remove(TombstoneOf(snapshot->files().Files()[0], clock_.NowMillis()));
  ASSERT_TRUE(std::move(first).Commit(Named("DELETE")).ok());
  const auto committed = std::move(second).Commit(Named("DELETE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_CONCURRENT_DELETE_DELETE);
}

TEST_F(TransactionTest, AMetadataChangeIsAConflict) {
  CreateTable();
  Transaction append = Start();
  append.Add(NewFile("a.parquet", "x"));
  Transaction alter = Start();
  alter.SetMetadata(TableMetadata({{"own.key", "1"}}));
  ASSERT_TRUE(std::move(alter).Commit(Named("SET TBLPROPERTIES")).ok());
  const auto committed = std::move(append).Commit(Named("WRITE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_METADATA_CHANGED);
}

TEST_F(TransactionTest, AnotherWriterOfTheSameApplicationIsAConflict) {
  CreateTable();
  Transaction first = Start();
  Transaction second = Start();
  EXPECT_EQ(first.ReadApplicationVersion("app"), std::nullopt);
  EXPECT_EQ(second.ReadApplicationVersion("app"), std::nullopt);
  first.SetApplicationVersion({"app", 1, std::nullopt});
  second.SetApplicationVersion({"app", 1, std::nullopt});
  ASSERT_TRUE(std::move(first).Commit(Named("WRITE")).ok());
  const auto committed = std::move(second).Commit(Named("WRITE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_CONCURRENT_TRANSACTION);
  EXPECT_EQ(Latest()->TransactionVersion("app"), 1);
}

TEST_F(TransactionTest, AppendOnlyTablesKeepTheirRows) {
  CreateTable({{"delta.appendOnly", "true"}});
  Append(NewFile("a.parquet", "x"));
  Transaction erase = Start();
  erase.Remove(TombstoneOf(Latest()->files().Files()[0], clock_.NowMillis()));
  const auto committed = std::move(erase).Commit(Named("DELETE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_CANNOT_MODIFY_APPEND_ONLY);
  EXPECT_EQ(Latest()->version(), Version(1));
}

TEST_F(TransactionTest, ALostAnswerIsResolvedByTheCommitItself) {
  CreateTable();
  Transaction append = Start();
  append.Add(NewFile("a.parquet", "x"));
  const failpoint::Armed lost("commit.after_put", failpoint::Mode::Once());
  const auto committed = std::move(append).Commit(Named("WRITE"));
  ASSERT_TRUE(committed.ok()) << committed.error().message();
  EXPECT_EQ(committed->version, Version(1));
  EXPECT_EQ(Latest()->files().size(), 1u);
}

TEST_F(TransactionTest, AFailureBeforeThePutChangesNothing) {
  CreateTable();
  Transaction append = Start();
  append.Add(NewFile("a.parquet", "x"));
  const failpoint::Armed fails("commit.before_put", failpoint::Mode::Once());
  const auto committed = std::move(append).Commit(Named("WRITE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_NE(committed.error().kind(), ErrorKind::kCommitUnknown);
  EXPECT_EQ(Latest()->version(), Version(0));
}

TEST_F(TransactionTest, CommitInfoSaysWhatWasDone) {
  CreateTable();
  Transaction append = Start();
  append.Add(NewFile("a.parquet", "x"));
  Operation operation = Named("WRITE");
  operation.Text("mode", "Append").Metric("numFiles", 1);
  ASSERT_TRUE(std::move(append).Commit(operation).ok());
  const auto info = ReadCommitInfo(*file_system_, LogDirectory("/table"), Version(1));
  ASSERT_TRUE(info.ok() && info->has_value());
  EXPECT_EQ((*info)->operation, "WRITE");
  EXPECT_EQ((*info)->read_version, 0);
  EXPECT_EQ((*info)->is_blind_append, true);
  EXPECT_EQ((*info)->isolation_level, "Serializable");
  EXPECT_EQ((*info)->operation_parameters.at("mode"), "\"Append\"");
  EXPECT_EQ((*info)->operation_metrics->at("numFiles"), "1");
  EXPECT_EQ((*info)->timestamp, clock_.NowMillis());
  EXPECT_TRUE((*info)->txn_id.has_value());
}

TEST_F(TransactionTest, ATableIsMadeOnce) {
  CreateTable();
  Transaction second = Transaction::Create(Location(), codec_, options_);
  second.SetProtocol({});
  second.SetMetadata(TableMetadata());
  const auto committed = std::move(second).Commit(Named("CREATE TABLE"));
  ASSERT_FALSE(committed.ok());
  EXPECT_EQ(committed.error().error_class(), ErrorClass::DELTA_PROTOCOL_CHANGED);
}

}  // namespace
}  // namespace merganser
