#include "merganser/connect/recent_ids.h"

#include <gtest/gtest.h>

namespace merganser::connect {
namespace {

TEST(RecentIdsTest, TheOldestGoFirst) {
  RecentIds ids(2);
  for (const char* id : {"a", "b", "b", "a"}) ids.Add(id);
  EXPECT_TRUE(ids.contains("a"));
  ids.Add("c");
  EXPECT_FALSE(ids.contains("a"));
  EXPECT_TRUE(ids.contains("b"));
  EXPECT_TRUE(ids.contains("c"));
  ids.Add("a");
  EXPECT_FALSE(ids.contains("b"));
}

}  // namespace
}  // namespace merganser::connect
