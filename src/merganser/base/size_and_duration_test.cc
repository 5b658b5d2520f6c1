#include "merganser/base/size_and_duration.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(SizeAndDurationTest, ReadsBytes) {
  EXPECT_EQ(ParseByteSize("1024"), 1024);
  EXPECT_EQ(ParseByteSize("64k"), 65536);
  EXPECT_EQ(ParseByteSize("128MB"), 134217728);
  EXPECT_EQ(ParseByteSize(" 1g "), 1073741824);
  EXPECT_EQ(ParseByteSize("-1"), -1);
  for (const char* text : {"", "MB", "1.5g", "5q", "9999999p", "1 g"}) {
    EXPECT_FALSE(ParseByteSize(text).has_value()) << text;
  }
}

TEST(SizeAndDurationTest, ReadsDurations) {
  EXPECT_EQ(ParseDurationMillis("100"), 100);
  EXPECT_EQ(ParseDurationMillis("5s"), 5000);
  EXPECT_EQ(ParseDurationMillis("10min"), 600000);
  EXPECT_EQ(ParseDurationMillis("2H"), 7200000);
  EXPECT_EQ(ParseDurationMillis("1500us"), 1);
  for (const char* text : {"", "1w", "s", "1.5s"}) {
    EXPECT_FALSE(ParseDurationMillis(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace merganser
