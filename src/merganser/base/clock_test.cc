#include "merganser/base/clock.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(ClockTest, ManualClockMovesWhenTold) {
  ManualClock clock(1000);
  EXPECT_EQ(clock.NowMillis(), 1000);
  clock.AdvanceMillis(5);
  EXPECT_EQ(clock.NowMillis(), 1005);
  EXPECT_EQ(clock.NowMicros(), 1005000);
  clock.SetMillis(7);
  EXPECT_EQ(clock.NowMillis(), 7);
}

TEST(ClockTest, SystemClockCountsFromTheEpoch) {
  constexpr int64_t kStartOf2024 = 1704067200000;
  EXPECT_GT(Clock::System().NowMillis(), kStartOf2024);
}

}  // namespace
}  // namespace merganser
