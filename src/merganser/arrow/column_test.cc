#include "merganser/arrow/column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/arrow/batch.h"
#include "merganser/arrow/test_array.h"

namespace merganser {
namespace {

ArrowColumn Column(TestArray& array, const DataType& type) {
  auto column = ArrowColumn::Make(array.schema(), array.array(), type);
  EXPECT_TRUE(column.ok()) << column.error().message();
  return *std::move(column);
}

TEST(ArrowColumn, ReadsIntegersOfAnyWidthBehindAnOffset) {
  TestArray array("s");
  array.Buffer<int16_t>({9, -3, 7, 4}).Null(2).Rows(3, 1);
  const auto column = Column(array, DataType::Long());
  EXPECT_EQ(column.Int64(0), -3);
  EXPECT_TRUE(column.IsNull(1));
  EXPECT_FALSE(column.IsNull(2));
  EXPECT_EQ(column.Int64(2), 4);
}

TEST(ArrowColumn, BringsTimestampsOfAnyUnitToMicroseconds) {
  TestArray seconds("tss:UTC");
  seconds.Buffer<int64_t>({2}).Rows(1);
  EXPECT_EQ(Column(seconds, DataType::Timestamp()).Int64(0), 2000000);
  TestArray nanos("tsn:");
  nanos.Buffer<int64_t>({-1}).Rows(1);
  // Before 1970 the cut goes to the earlier microsecond.
  EXPECT_EQ(Column(nanos, DataType::TimestampNtz()).Int64(0), -1);
}

TEST(ArrowColumn, ReadsBooleansFromBits) {
  TestArray array("b");
  array.Buffer<uint8_t>({0b00000101}).Rows(3);
  const auto column = Column(array, DataType::Boolean());
  EXPECT_TRUE(column.Bool(0));
  EXPECT_FALSE(column.Bool(1));
  EXPECT_TRUE(column.Bool(2));
}

TEST(ArrowColumn, ReadsDecimalsOfSixteenAndEightBytes) {
  TestArray wide("d:38,2");
  wide.Buffer<__int128>({-12345}).Rows(1);
  EXPECT_EQ(static_cast<int64_t>(Column(wide, DataType::Decimal(38, 2)).Decimal(0)), -12345);
  TestArray narrow("d:10,2,64");
  narrow.Buffer<int64_t>({678}).Rows(1);
  EXPECT_EQ(static_cast<int64_t>(Column(narrow, DataType::Decimal(10, 2)).Decimal(0)), 678);
}

TEST(ArrowColumn, RefusesADecimalOfAnotherScale) {
  TestArray array("d:10,3");
  array.Buffer<__int128>({1}).Rows(1);
  const auto column = ArrowColumn::Make(array.schema(), array.array(), DataType::Decimal(10, 2));
  ASSERT_FALSE(column.ok());
  EXPECT_EQ(column.error().error_class(), ErrorClass::INTERNAL_ERROR);
}

TEST(ArrowColumn, ReadsTextWithSmallOffsetsLargeOffsetsAndViews) {
  TestArray small("u");
  small.Buffer<int32_t>({0, 1, 3}).Text("abc").Rows(2);
  EXPECT_EQ(Column(small, DataType::String()).Bytes(1), "bc");

  TestArray large("Z");
  large.Buffer<int64_t>({0, 1, 3}).Text("abc").Rows(2);
  EXPECT_EQ(Column(large, DataType::Binary()).Bytes(0), "a");

  std::vector<uint8_t> views(32, 0);
  const int32_t short_length = 2;
  const int32_t long_length = 14;
  const int32_t long_offset = 3;
  std::memcpy(views.data(), &short_length, 4);
  std::memcpy(views.data() + 4, "hi", 2);
  std::memcpy(views.data() + 16, &long_length, 4);
  std::memcpy(views.data() + 28, &long_offset, 4);
  TestArray view("vu");
  view.Buffer(views).Text("...fourteen chars").Rows(2);
  const auto column = Column(view, DataType::String());
  EXPECT_EQ(column.Bytes(0), "hi");
  EXPECT_EQ(column.Bytes(1), "fourteen chars");
}

TEST(ArrowColumn, ReadsNestedValues) {
  TestArray list("+l");
  list.Buffer<int32_t>({0, 2, 2})
      .Child(std::move(TestArray("i").Buffer<int32_t>({0, 5, 6}).Rows(2, 1)))
      .Rows(2);
  const auto lists = Column(list, DataType::Array(DataType::Integer()));
  EXPECT_EQ(lists.Elements(0).end, 2);
  EXPECT_EQ(lists.child(0).Int64(lists.Elements(0).begin + 1), 6);
  EXPECT_EQ(lists.Elements(1).begin, lists.Elements(1).end);

  TestArray record("+s");
  record.Child(std::move(TestArray("i").Buffer<int32_t>({1, 2, 3}).Rows(3))).Rows(2, 1);
  const auto records = Column(record, DataType::Struct(StructType({{"a", DataType::Integer()}})));
  EXPECT_EQ(records.child(0).Int64(records.FieldRow(1)), 3);
}

TEST(ArrowColumn, ReadsDictionaries) {
  TestArray array("c");
  array.Buffer<int8_t>({1, 0, 1})
      .Dictionary(std::move(TestArray("u").Buffer<int32_t>({0, 1, 2}).Text("xy").Null(0).Rows(2)))
      .Rows(3);
  const auto column = Column(array, DataType::String());
  EXPECT_EQ(column.Bytes(0), "y");
  EXPECT_TRUE(column.IsNull(1));
}

int releases = 0;

TEST(ArrowBatch, ReleasesItsArrayOnce) {
  ArrowArray array{};
  array.length = 3;
  array.release = [](ArrowArray* released) {
    ++releases;
    released->release = nullptr;
  };
  {
    ArrowBatch batch(array);
    ArrowBatch moved = std::move(batch);
    EXPECT_EQ(moved.num_rows(), 3);
  }
  EXPECT_EQ(releases, 1);
}

}  // namespace
}  // namespace merganser
