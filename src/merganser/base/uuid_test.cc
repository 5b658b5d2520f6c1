#include "merganser/base/uuid.h"

#include <set>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(UuidTest, IsRandomVersionFour) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = RandomUuid();
    ASSERT_TRUE(IsUuid(uuid)) << uuid;
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos) << uuid;
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

TEST(UuidTest, KnowsTheForm) {
  EXPECT_TRUE(IsUuid("0AF3a9e2-0000-4000-8000-ffffffffffff"));
  EXPECT_FALSE(IsUuid(""));
  EXPECT_FALSE(IsUuid("0af3a9e2-0000-4000-8000-fffffffffff"));
  EXPECT_FALSE(IsUuid("0af3a9e2-0000-4000-8000-ffffffffffff0"));
  EXPECT_FALSE(IsUuid("0af3a9e2-0000-4000-8000_ffffffffffff"));
  EXPECT_FALSE(IsUuid("0af3a9e2-0000-4000-8000-fffffffffffg"));
}

}  // namespace
}  // namespace merganser
