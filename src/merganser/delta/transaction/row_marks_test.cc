#include "merganser/delta/transaction/row_marks.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/table/table_fixture.h"
#include "merganser/delta/transaction/transaction.h"

namespace merganser {
namespace {

using Rows = std::vector<uint64_t>;

/// A table of one file of 1000 rows.
class RowMarksTest : public ::testing::Test {
 protected:
  RowMarksTest() : table_(StructType({{"id", DataType::Long(), true, {}}})) {
    table_.protocol = {3, 7, std::vector<std::string>{"deletionVectors"},
                       std::vector<std::string>{"deletionVectors"}};
    table_.metadata.configuration["delta.checkpointInterval"] = "1000000";
    table_.Create({MakeFile("f", {}, R"({"numRecords":1000})")});
  }

  SnapshotRef Load() const { return *table_.Load(); }

  /// A transaction that deletes `rows` of the one file.
  static Transaction Delete(const SnapshotRef& snapshot, const Rows& rows) {
    auto transaction = Transaction::Start(snapshot);
    const FileView file = snapshot->files().Files().front();
    AddFile add = file.ToAddFile();
    DeletionVector vector = DeletionVector::Of(rows);
    if (add.deletion_vector) {
      vector.Merge(
          *ReadDeletionVector(snapshot->file_system(), snapshot->path(), *add.deletion_vector));
    }
    add.deletion_vector = MakeInlineDescriptor(vector);
    transaction->ReadRowByRow();
    transaction->ReadFile("f");
    transaction->Remove(TombstoneOf(file, 1));
    transaction->Add(add);
    return std::move(transaction).value();
  }
  static Status Commit(Transaction transaction) {
    Operation operation;
    operation.name = "DELETE";
    auto committed = std::move(transaction).Commit(operation);
    return committed.ok() ? Status::Ok() : Status(committed.error());
  }
  /// Rows that the newest version hides.
  Rows Deleted() const {
    const SnapshotRef snapshot = Load();
    const auto files = snapshot->files().Files();
    EXPECT_EQ(files.size(), 1u);
    const auto vector = ReadDeletionVector(snapshot->file_system(), snapshot->path(),
                                           *files.front().deletion_vector());
    return vector.ok() ? vector->Rows() : Rows();
  }

  TableFixture table_;
};

TEST_F(RowMarksTest, WritersOfDifferentRowsBothWin) {
  const SnapshotRef snapshot = Load();
  Transaction second = Delete(snapshot, {4, 5});
  Transaction third = Delete(snapshot, {7});
  ASSERT_TRUE(Commit(Delete(snapshot, {1})).ok());
  ASSERT_TRUE(Commit(std::move(second)).ok());
  ASSERT_TRUE(Commit(std::move(third)).ok());
  EXPECT_EQ(Deleted(), (Rows{1, 4, 5, 7}));
}

TEST_F(RowMarksTest, AVectorThatOutgrowsTheLogGoesToAFile) {
  const SnapshotRef snapshot = Load();
  Rows even, odd;
  for (uint64_t row = 0; row < 100; ++row) (row % 3 == 0 ? even : odd).push_back(row * 7);
  Transaction second = Delete(snapshot, odd);
  ASSERT_TRUE(Commit(Delete(snapshot, even)).ok());
  ASSERT_TRUE(Commit(std::move(second)).ok());
  EXPECT_EQ(Deleted().size(), 100u);
  EXPECT_EQ(Load()->files().Files().front().deletion_vector()->storage,
            DeletionVectorDescriptor::Storage::kRelativeFile);
}

TEST_F(RowMarksTest, OneRowOfBothIsAConflict) {
  const SnapshotRef snapshot = Load();
  Transaction second = Delete(snapshot, {1, 2});
  ASSERT_TRUE(Commit(Delete(snapshot, {2, 3})).ok());
  const Status status = Commit(std::move(second));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_CONCURRENT_DELETE_READ);
  EXPECT_EQ(Deleted(), (Rows{2, 3}));
}

TEST_F(RowMarksTest, AFileThatIsGoneIsAConflict) {
  const SnapshotRef snapshot = Load();
  Transaction second = Delete(snapshot, {1, 2});
  table_.Commit({MakeRemove("f"), MakeFile("g")});
  const Status status = Commit(std::move(second));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind(), ErrorKind::kConflict);
}

TEST_F(RowMarksTest, AFileWhoseRowsAreAllGoneIsNotAddedAgain) {
  const SnapshotRef snapshot = Load();
  Rows low, high;
  for (uint64_t row = 0; row < 1000; ++row) (row < 500 ? low : high).push_back(row);
  Transaction second = Delete(snapshot, high);
  ASSERT_TRUE(Commit(Delete(snapshot, low)).ok());
  ASSERT_TRUE(Commit(std::move(second)).ok());
  EXPECT_TRUE(Load()->files().empty());
}

}  // namespace
}  // namespace merganser
