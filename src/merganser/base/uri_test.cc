#include "merganser/base/uri.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(UriTest, FindsTheScheme) {
  EXPECT_EQ(UriScheme("s3a://bucket/x"), "s3a");
  EXPECT_EQ(UriScheme("file:/a"), "file");
  EXPECT_EQ(UriScheme("/a:b"), "");
  EXPECT_EQ(UriScheme("ts=10:20"), "");
  EXPECT_EQ(UriScheme("plain"), "");
  EXPECT_EQ(UriScheme(""), "");
}

TEST(UriTest, PercentCoding) {
  EXPECT_EQ(PercentDecode("a%20b%2fc%"), "a b/c%");
  EXPECT_EQ(PercentDecode("%zz%4"), "%zz%4");
  EXPECT_EQ(PercentDecode("%C3%A9"), "\xC3\xA9");
  std::string out;
  AppendPercentEncoded('\x0f', &out);
  EXPECT_EQ(out, "%0F");
}

}  // namespace
}  // namespace merganser
