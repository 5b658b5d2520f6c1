#include "merganser/base/calendar_interval.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(CalendarIntervalTest, AddsUpItsParts) {
  const std::vector<std::pair<std::string, CalendarInterval>> intervals = {
      {"interval 1 week", {0, 7, 0}},
      {"INTERVAL 1 Day 2 hours 3.5 seconds", {0, 1, 7203500000}},
      {"30 days", {0, 30, 0}},
      {"  -1 day  ", {0, -1, 0}},
      {"- 1 day", {0, -1, 0}},
      {"1 year 2 months", {14, 0, 0}},
      {"1 day -1 hour", {0, 1, -3600000000}},
      {"-1.000001 seconds", {0, 0, -1000001}},
      {".5 second", {0, 0, 500000}},
      {"3 milliseconds 4 microseconds", {0, 0, 3004}},
      {"0 days", {0, 0, 0}},
  };
  for (const auto& [text, expected] : intervals) {
    EXPECT_EQ(ParseCalendarInterval(text), expected) << text;
  }
}

TEST(CalendarIntervalTest, RefusesTheRest) {
  for (const char* text : {"", "interval", "interval ", "foo", "1", "1day", "day", "1 fortnight",
                           "1.5 days", "1 day 2", "99999999999999999999 days", "3000000000 days",
                           "1 day,2 hours", "--1 day", "1.0000000001 seconds"}) {
    EXPECT_FALSE(ParseCalendarInterval(text).has_value()) << text;
  }
}

TEST(CalendarIntervalTest, HasALengthApartFromMonths) {
  EXPECT_EQ((CalendarInterval{5, 1, 1}).MicrosWithoutMonths(), 86400000001);
  EXPECT_FALSE((CalendarInterval{0, 1, INT64_MAX}).MicrosWithoutMonths().has_value());
}

}  // namespace
}  // namespace merganser
