#include "merganser/delta/table/table_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/table/table_fixture.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

DeletionVectorDescriptor Vector(std::string text) {
  DeletionVectorDescriptor descriptor;
  descriptor.path_or_inline_dv = std::move(text);
  return descriptor;
}

class TableChangesTest : public ::testing::Test {
 protected:
  TableChangesTest() { table_.metadata.configuration["delta.enableChangeDataFeed"] = "true"; }

  Result<TableChanges> Changes(int64_t start, int64_t end) {
    return PlanTableChanges(**table_.Load(), Version(start), Version(end));
  }
  /// "<kind> <path>@<version>[+included][-excluded]" of each file.
  std::vector<std::string> Files(int64_t start, int64_t end) {
    std::vector<std::string> texts;
    const auto changes = Changes(start, end);
    EXPECT_TRUE(changes.ok()) << changes.error().message();
    if (!changes.ok()) return texts;
    for (const ChangeFile& file : changes->files) {
      const char* const kinds[] = {"cdc", "insert", "delete"};
      std::string text = std::string(kinds[static_cast<int>(file.kind)]) + " " + file.path + "@" +
                         file.version.ToString();
      if (file.included_rows) text += "+" + file.included_rows->path_or_inline_dv;
      if (file.excluded_rows) text += "-" + file.excluded_rows->path_or_inline_dv;
      texts.push_back(text);
    }
    return texts;
  }

  TableFixture table_{StructType({{"a", DataType::Long()}})};
};

TEST_F(TableChangesTest, AddedAndRemovedFilesAreInsertsAndDeletes) {
  table_.Create();
  table_.Commit({MakeFile("x")}, 50);
  table_.Commit({MakeRemove("x"), MakeFile("y")}, 60);
  EXPECT_THAT(Files(0, 2), ElementsAre("insert x@1", "insert y@2", "delete x@2"));
  EXPECT_THAT(Files(2, 9), ElementsAre("insert y@2", "delete x@2"));
  EXPECT_EQ(Changes(1, 1)->files[0].commit_timestamp, 50);
}

TEST_F(TableChangesTest, CdcFilesTakePrecedence) {
  table_.Create({MakeFile("x")});
  AddCdcFile change;
  change.path = "_change_data/c";
  table_.Commit({MakeRemove("x"), MakeFile("y"), change});
  EXPECT_THAT(Files(1, 1), ElementsAre("cdc _change_data/c@1"));
}

TEST_F(TableChangesTest, RearrangedDataIsNoChange) {
  table_.Create({MakeFile("x")});
  RemoveFile remove = MakeRemove("x");
  AddFile add = MakeFile("compacted");
  remove.data_change = add.data_change = false;
  table_.Commit({remove, add});
  EXPECT_THAT(Files(1, 1), IsEmpty());
}

TEST_F(TableChangesTest, VectorsThatGrowAreDeletes) {
  table_.Create({MakeFile("x")});
  AddFile add = MakeFile("x");
  add.deletion_vector = Vector("one");
  table_.Commit({MakeRemove("x"), add});
  RemoveFile remove = MakeRemove("x");
  remove.deletion_vector = Vector("one");
  add.deletion_vector = Vector("two");
  table_.Commit({remove, add});
  EXPECT_THAT(Files(1, 1), ElementsAre("delete x@1+one"));
  EXPECT_THAT(Files(2, 2), ElementsAre("delete x@2+two-one", "insert x@2+one-two"));
}

TEST_F(TableChangesTest, TheFeedMustBeOnInTheWholeRange) {
  table_.Create();
  Metadata off = table_.metadata;
  off.configuration.clear();
  table_.Commit({off});
  table_.Commit({table_.metadata});
  const auto changes = Changes(0, 2);
  ASSERT_FALSE(changes.ok());
  EXPECT_EQ(changes.error().error_class(), ErrorClass::DELTA_MISSING_CHANGE_DATA);
  EXPECT_EQ(changes.error().parameters().at("version"), "1");
  EXPECT_TRUE(Changes(2, 2).ok());
  EXPECT_FALSE(Changes(1, 2).ok());
}

TEST_F(TableChangesTest, ColumnsMayBeAddedInTheRangeButNotRemoved) {
  table_.Create({MakeFile("x")});
  Metadata wider = table_.metadata;
  wider.schema_string =
      ToSchemaJson(StructType({{"a", DataType::Long()}, {"b", DataType::Long()}}));
  table_.Commit({wider});
  EXPECT_EQ(Changes(0, 1)->schema.size(), 2u);
  table_.Commit({table_.metadata});
  EXPECT_EQ(Changes(0, 2).error().error_class(),
            ErrorClass::DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE);
}

}  // namespace
}  // namespace merganser
