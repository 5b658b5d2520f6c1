#include "merganser/delta/protocol/data_path.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(DataPathTest, RelativePathsLieInTheTable) {
  EXPECT_EQ(*DataFilePath("/t", "p=1/a%20b.parquet"), "/t/p=1/a b.parquet");
  EXPECT_EQ(*DataFilePath("/t", "p=a%253Db/x"), "/t/p=a%3Db/x");
  EXPECT_EQ(*DataFilePath("/t/", "x"), "/t/x");
  EXPECT_EQ(*DataFilePath("/t", "a/../b"), "/t/a/../b");
}

TEST(DataPathTest, AbsolutePathsStand) {
  EXPECT_EQ(*DataFilePath("/t", "/other/a%20b"), "/other/a b");
  EXPECT_EQ(*DataFilePath("/t", "file:///other/x%20y"), "/other/x y");
  EXPECT_EQ(*DataFilePath("/t", "s3://b/x"), "s3://b/x");
}

TEST(DataPathTest, RefusesPathsThatLeaveTheTable) {
  for (const char* path : {"../x", "a/../../x", "%2e%2e/x", "a%00b"}) {
    const auto result = DataFilePath("/t", path);
    ASSERT_FALSE(result.ok()) << path;
    EXPECT_EQ(result.error().error_class(), ErrorClass::DELTA_PATH_OUTSIDE_TABLE);
  }
}

TEST(DataPathTest, EncodesAsJavasUriDoes) {
  EXPECT_EQ(EncodeDataPath("a b=c%3Dd/[x]#?{}^|\"<>\\`"),
            "a%20b=c%253Dd/%5Bx%5D%23%3F%7B%7D%5E%7C%22%3C%3E%5C%60");
  EXPECT_EQ(EncodeDataPath("\xC3\xA9:@&=+$,;!~*'()"), "\xC3\xA9:@&=+$,;!~*'()");
  EXPECT_EQ(EncodeDataPath("\xC2\xA0\xE3\x80\x80"), "%C2%A0%E3%80%80");
  EXPECT_EQ(DecodeDataPath(EncodeDataPath("%\x01 \xF0\x9F\x8E\x89")), "%\x01 \xF0\x9F\x8E\x89");
}

TEST(DataPathTest, CanonicalFormsOfOneFileAreEqual) {
  EXPECT_EQ(CanonicalDataPath("/a/b%20c"), "file:/a/b c");
  EXPECT_EQ(CanonicalDataPath("file:///a/b c"), "file:/a/b c");
  EXPECT_EQ(CanonicalDataPath("file:/a/b%20c"), "file:/a/b c");
  EXPECT_EQ(CanonicalDataPath("x%20y"), "x y");
  EXPECT_EQ(CanonicalDataPath("s3://b/x"), "s3://b/x");
}

}  // namespace
}  // namespace merganser
