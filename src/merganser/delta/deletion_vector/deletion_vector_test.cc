#include "merganser/delta/deletion_vector/deletion_vector.h"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/delta/deletion_vector/crc32.h"
#include "merganser/delta/deletion_vector/z85.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

DeletionVector VectorOf(std::vector<uint64_t> rows) { return DeletionVector::Of(rows); }

TEST(Z85Test, TheStandardsOwnExample) {
  EXPECT_EQ(EncodeZ85("\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B"), "HelloWorld");
  EXPECT_EQ(DecodeZ85("HelloWorld"), "\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B");
  EXPECT_EQ(DecodeZ85("Hello Worl"), std::nullopt);
  EXPECT_EQ(DecodeZ85("Hell"), std::nullopt);
  EXPECT_EQ(DecodeZ85("#####"), "\x08\x78\x0e\xc4");
}

TEST(Z85Test, UuidOfTheProtocolsExample) {
  EXPECT_EQ(DecodeUuidZ85("^-aqEH.-t@S}K{vb[*k^"), "d2c639aa-8816-431a-aaf6-d3fe2512ff61");
  EXPECT_EQ(EncodeUuidZ85("d2c639aa-8816-431a-aaf6-d3fe2512ff61"), "^-aqEH.-t@S}K{vb[*k^");
  EXPECT_EQ(DecodeUuidZ85("short"), std::nullopt);
}

TEST(Crc32Test, CheckValue) { EXPECT_EQ(Crc32("123456789"), 0xCBF43926u); }

TEST(DeletionVectorTest, ReadsAnInlineVectorOfAnotherWriter) {
  auto bytes = DecodeZ85("^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L");
  ASSERT_TRUE(bytes);
  const auto vector = DeletionVector::Deserialize(*bytes);
  ASSERT_TRUE(vector.ok()) << vector.error().message();
  EXPECT_THAT(vector->Rows(), ElementsAre(3, 4, 7, 11, 18, 29));
  EXPECT_EQ(vector->cardinality(), 6u);
}

TEST(DeletionVectorTest, SetOperations) {
  DeletionVector vector = VectorOf({1, 5, uint64_t{1} << 33});
  EXPECT_TRUE(vector.Contains(5));
  EXPECT_FALSE(vector.Contains(6));
  EXPECT_EQ(vector.Last(), uint64_t{1} << 33);
  EXPECT_TRUE(vector.Intersects(VectorOf({5})));
  EXPECT_FALSE(vector.Intersects(VectorOf({6})));
  vector.Merge(VectorOf({6}));
  vector.Subtract(VectorOf({1, uint64_t{1} << 33}));
  EXPECT_THAT(vector.Rows(), ElementsAre(5, 6));
  vector.Subtract(VectorOf({5, 6}));
  EXPECT_TRUE(vector.empty());
  EXPECT_EQ(vector.Last(), std::nullopt);
  EXPECT_TRUE(vector == DeletionVector());
}

TEST(DeletionVectorTest, CopiesAreIndependent) {
  DeletionVector first = VectorOf({1});
  DeletionVector second = first;
  second.Add(2);
  EXPECT_THAT(first.Rows(), ElementsAre(1));
  first = std::move(second);
  EXPECT_THAT(first.Rows(), ElementsAre(1, 2));
}

TEST(DeletionVectorTest, RangesAcrossTheUpperHalf) {
  constexpr uint64_t kEdge = uint64_t{1} << 32;
  DeletionVector vector;
  vector.AddRange(kEdge - 2, kEdge + 2);
  EXPECT_EQ(vector.cardinality(), 4u);
  EXPECT_EQ(vector.CountRange(kEdge - 1, kEdge + 1), 2u);
  EXPECT_EQ(vector.CountRange(0, kEdge - 2), 0u);
  std::vector<uint32_t> selection(8);
  const uint32_t live = vector.SelectLive(kEdge - 4, 8, selection.data());
  selection.resize(live);
  EXPECT_THAT(selection, ElementsAre(0, 1, 6, 7));
}

TEST(DeletionVectorTest, SelectsLiveRows) {
  std::vector<uint32_t> selection(4);
  EXPECT_EQ(VectorOf({10, 11, 12, 13}).SelectLive(10, 4, selection.data()), 0u);
  EXPECT_EQ(DeletionVector().SelectLive(10, 4, selection.data()), 4u);
  EXPECT_THAT(selection, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(VectorOf({9, 11, 14}).SelectLive(10, 4, selection.data()), 3u);
  EXPECT_EQ(selection[1], 2u);
}

/// Every kind of container: few values, many scattered, runs, several keys.
TEST(DeletionVectorTest, SerializesAndReadsBackRandomSets) {
  std::mt19937_64 random(20240131);
  for (int round = 0; round < 40; ++round) {
    std::set<uint64_t> model;
    DeletionVector vector;
    for (int part = 0; part < 3; ++part) {
      const uint64_t base = (random() % 4) << 32 | (random() % 3) << 16;
      const size_t count = random() % 3 == 0 ? 6000 : random() % 50;
      for (size_t i = 0; i < count; ++i) {
        const uint64_t row = base + random() % 65536;
        model.insert(row);
        vector.Add(row);
      }
      if (random() % 2 == 0) {
        const uint64_t start = base + random() % 30000;
        vector.AddRange(start, start + 3000);
        for (uint64_t row = start; row < start + 3000; ++row) model.insert(row);
      }
    }
    const auto read = DeletionVector::Deserialize(vector.Serialize());
    ASSERT_TRUE(read.ok());
    EXPECT_TRUE(*read == vector);
    EXPECT_EQ(read->Rows(), std::vector<uint64_t>(model.begin(), model.end()));
  }
}

TEST(DeletionVectorTest, DamagedBytesAreAnErrorAndNothingWorse) {
  DeletionVector vector = VectorOf({1, 2, 3, 70000, uint64_t{1} << 32});
  vector.AddRange(200000, 210000);
  for (uint64_t row = 300000; row < 360000; row += 2) vector.Add(row);
  const std::string good = vector.Serialize();
  for (size_t length = 0; length < good.size(); length += length < 200 ? 1 : 97) {
    EXPECT_FALSE(DeletionVector::Deserialize(good.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(DeletionVector::Deserialize(good + "x").ok());
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = good;
    const size_t place = random() % std::min<size_t>(damaged.size(), 120);
    damaged[place] = static_cast<char>(random());
    const auto read = DeletionVector::Deserialize(damaged);
    if (read.ok()) {
      EXPECT_EQ(read->Rows().size(), read->cardinality());
    }
  }
  const auto error = DeletionVector::Deserialize("garbage!");
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().kind(), ErrorKind::kCorruption);
}

TEST(DeletionVectorTest, AnEmptyVectorIsValid) {
  const auto read = DeletionVector::Deserialize(DeletionVector().Serialize());
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(read->Rows(), IsEmpty());
}

}  // namespace
}  // namespace merganser
