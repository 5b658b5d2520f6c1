#include "merganser/delta/table/file_pruning.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/table/table_fixture.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum PredicateOperator;

/// Files a (p=1, x 0..10, no NULL), b (p=2, x 20..30, some NULL), c (p=NULL, x all NULL),
/// d (p=1, no statistics).
class FilePruningTest : public ::testing::Test {
 protected:
  FilePruningTest()
      : table_(StructType({{"p", DataType::Integer()},
                           {"x", DataType::Long()},
                           {"s", DataType::Struct(StructType({{"t", DataType::String()}}))},
                           {"f", DataType::Double()},
                           {"ts", DataType::Timestamp()}})) {
    table_.metadata.partition_columns = {"p"};
    table_.Create({
        MakeFile(
            "a", {{"p", "1"}},
            R"({"numRecords":5,"minValues":{"x":0,"s":{"t":"apple"},"f":1.0,"ts":"2024-01-01T00:00:00.000Z"},)"
            R"("maxValues":{"x":10,"s":{"t":"berry"},"f":2.0,"ts":"2024-01-01T00:00:00.500Z"},)"
            R"("nullCount":{"x":0,"s":{"t":0},"f":0,"ts":0}})"),
        MakeFile(
            "b", {{"p", "2"}},
            R"({"numRecords":5,"minValues":{"x":20,"s":{"t":"cherry"},"f":3.0},)"
            R"("maxValues":{"x":30,"s":{"t":"date"},"f":4.0},"nullCount":{"x":2,"s":{"t":0},"f":0}})"),
        MakeFile("c", {{"p", std::nullopt}}, R"({"numRecords":5,"nullCount":{"x":5}})"),
        MakeFile("d", {{"p", "1"}}),
    });
    snapshot_ = *table_.Load();
  }

  std::vector<std::string> Matches(std::vector<ColumnPredicate> conjuncts) {
    std::vector<std::string> paths;
    for (const FileView file : PruneFiles(*snapshot_, FilePredicate{std::move(conjuncts)}).files) {
      paths.emplace_back(file.path());
    }
    return paths;
  }
  std::vector<std::string> X(PredicateOperator op, const std::vector<int64_t>& values) {
    ColumnPredicate predicate{{"x"}, op, {}};
    for (const int64_t value : values) predicate.values.push_back(Scalar::Long(value));
    return Matches({predicate});
  }
  std::vector<std::string> P(PredicateOperator op, const std::vector<int32_t>& values) {
    ColumnPredicate predicate{{"P"}, op, {}};
    for (const int32_t value : values) predicate.values.push_back(Scalar::Integer(value));
    return Matches({predicate});
  }

  TableFixture table_;
  SnapshotRef snapshot_;
};

TEST_F(FilePruningTest, AnEmptyPredicateKeepsEverything) {
  EXPECT_THAT(Matches({}), ElementsAre("a", "b", "c", "d"));
}

TEST_F(FilePruningTest, PartitionValues) {
  EXPECT_THAT(P(kEqual, {1}), ElementsAre("a", "d"));
  EXPECT_THAT(P(kNotEqual, {1}), ElementsAre("b"));
  EXPECT_THAT(P(kLess, {2}), ElementsAre("a", "d"));
  EXPECT_THAT(P(kGreaterOrEqual, {2}), ElementsAre("b"));
  EXPECT_THAT(P(kIn, {0, 2, 5}), ElementsAre("b"));
  EXPECT_THAT(P(kIsNull, {}), ElementsAre("c"));
  EXPECT_THAT(P(kIsNotNull, {}), ElementsAre("a", "b", "d"));
  EXPECT_THAT(Matches({{{"p"}, kNullSafeEqual, {Scalar::Null(DataType::Integer())}}}),
              ElementsAre("c"));
  EXPECT_THAT(Matches({{{"p"}, kEqual, {Scalar::Null(DataType::Integer())}}}), IsEmpty());
}

TEST_F(FilePruningTest, BoundsAndNulls) {
  EXPECT_THAT(X(kEqual, {10}), ElementsAre("a", "d"));
  EXPECT_THAT(X(kEqual, {15}), ElementsAre("d"));
  EXPECT_THAT(X(kLess, {0}), ElementsAre("d"));
  EXPECT_THAT(X(kLessOrEqual, {0}), ElementsAre("a", "d"));
  EXPECT_THAT(X(kGreater, {30}), ElementsAre("d"));
  EXPECT_THAT(X(kGreaterOrEqual, {30}), ElementsAre("b", "d"));
  EXPECT_THAT(X(kIsNull, {}), ElementsAre("b", "c", "d"));
  EXPECT_THAT(X(kIsNotNull, {}), ElementsAre("a", "b", "d"));
  EXPECT_THAT(X(kNotEqual, {5}), ElementsAre("a", "b", "d"));
}

TEST_F(FilePruningTest, KeysBetweenWhichAFileLies) {
  EXPECT_THAT(X(kIn, {-5, 15, 40}), ElementsAre("d"));
  EXPECT_THAT(X(kIn, {-5, 10, 40}), ElementsAre("a", "d"));
  EXPECT_THAT(X(kIn, {40, 25, -5}), ElementsAre("b", "d"));
  EXPECT_THAT(X(kIn, {}), ElementsAre("d"));
}

TEST_F(FilePruningTest, ConjunctsOfOneColumnAllCount) {
  EXPECT_THAT(Matches({{{"x"}, kGreater, {Scalar::Long(11)}}, {{"x"}, kLess, {Scalar::Long(40)}}}),
              ElementsAre("b", "d"));
  EXPECT_THAT(
      Matches({{{"x"}, kGreater, {Scalar::Long(5)}}, {{"p"}, kEqual, {Scalar::Integer(1)}}}),
      ElementsAre("a", "d"));
}

TEST_F(FilePruningTest, NestedColumnsAndPrefixes) {
  EXPECT_THAT(Matches({{{"S", "t"}, kEqual, {Scalar::String("cat")}}}), ElementsAre("c", "d"));
  EXPECT_THAT(Matches({{{"s", "t"}, kStartsWith, {Scalar::String("ch")}}}),
              ElementsAre("b", "c", "d"));
  EXPECT_THAT(Matches({{{"s", "t"}, kStartsWith, {Scalar::String("az")}}}),
              ElementsAre("a", "c", "d"));
}

TEST_F(FilePruningTest, NanMayHideAboveTheMaximum) {
  EXPECT_THAT(Matches({{{"f"}, kGreater, {Scalar::Double(9)}}}), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Matches({{{"f"}, kEqual, {Scalar::Double(9)}}}), ElementsAre("c", "d"));
  EXPECT_THAT(
      Matches({{{"f"}, kEqual, {Scalar::Double(std::numeric_limits<double>::quiet_NaN())}}}),
      ElementsAre("a", "b", "c", "d"));
}

TEST_F(FilePruningTest, CutTimestampsDoNotHideRows) {
  const int64_t second = 1704067200LL * 1'000'000;
  EXPECT_THAT(Matches({{{"ts"}, kEqual, {Scalar::Timestamp(second + 500'999)}}}),
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Matches({{{"ts"}, kEqual, {Scalar::Timestamp(second + 501'000)}}}),
              ElementsAre("b", "c", "d"));
}

TEST_F(FilePruningTest, WhatCannotBeJudgedKeepsTheFile) {
  EXPECT_THAT(Matches({{{"unknown"}, kEqual, {Scalar::Long(1)}}}), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Matches({{{"x"}, kEqual, {Scalar::String("1")}}}), ElementsAre("a", "b", "d"));
  EXPECT_THAT(Matches({{{"x"}, kIn, {Scalar::Long(1), Scalar::String("1")}}}),
              ElementsAre("a", "b", "c", "d"));
}

TEST_F(FilePruningTest, CountsWhatItDrops) {
  const FileSelection selection = PruneFiles(
      *snapshot_, {{{{"p"}, kEqual, {Scalar::Integer(1)}}, {{"x"}, kEqual, {Scalar::Long(99)}}}});
  EXPECT_EQ(selection.total_files, 4u);
  EXPECT_EQ(selection.files_after_partition_pruning, 2u);
  EXPECT_EQ(selection.files.size(), 1u);
  EXPECT_EQ(selection.selected_bytes, 1);
}

TEST_F(FilePruningTest, PartitionsThatSurelyMatch) {
  const FilePruner by_partition(*snapshot_, {{{{"p"}, kEqual, {Scalar::Integer(1)}}}});
  EXPECT_TRUE(by_partition.partition_only());
  EXPECT_TRUE(by_partition.PartitionSurelyMatches({{"p", "1"}}));
  EXPECT_FALSE(by_partition.PartitionSurelyMatches({{"p", "2"}}));
  EXPECT_FALSE(by_partition.PartitionSurelyMatches({{"p", "garbage"}}));
  EXPECT_TRUE(by_partition.MayMatch(MakeFile("e", {{"p", "garbage"}})));
  const FilePruner by_value(*snapshot_, {{{{"x"}, kEqual, {Scalar::Long(1)}}}});
  EXPECT_FALSE(by_value.PartitionSurelyMatches({{"p", "1"}}));
}

TEST_F(FilePruningTest, RowCountsNeedEveryFile) {
  EXPECT_EQ(CountRows(*snapshot_), std::nullopt);
  table_.Commit({MakeRemove("d")});
  EXPECT_EQ(CountRows(**snapshot_->Refresh()), 15);
}

TEST(FilePredicateTest, AsText) {
  EXPECT_EQ(ToString(FilePredicate{}), "true");
  EXPECT_EQ(
      ToString(FilePredicate{{{{"a", "b c"}, kLess, {Scalar::Long(3)}}, {{"d"}, kIsNull, {}}}}),
      "a.`b c` < 3 AND d IS NULL");
}

}  // namespace
}  // namespace merganser
