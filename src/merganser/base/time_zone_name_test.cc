#include "merganser/base/time_zone_name.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(TimeZoneNameTest, ReadsWhatSparkReads) {
  const std::vector<std::pair<std::string, std::string>> zones = {
      {"Europe/Paris", "Europe/Paris"},
      {"US/Pacific", "US/Pacific"},
      {"EST5EDT", "EST5EDT"},
      {"UTC", "UTC"},
      {"Z", "UTC"},
      {"UT", "UTC"},
      {"GMT0", "GMT0"},
      {"PST", "America/Los_Angeles"},
      {"EST", "-05:00"},
      {"+8", "+08:00"},
      {"+8:00", "+08:00"},
      {"+08:0", "+08:00"},
      {"+08:00", "+08:00"},
      {"-0330", "-03:30"},
      {"+08:00:30", "+08:00:30"},
      {"+080030", "+08:00:30"},
      {"UTC+3", "+03:00"},
      {"GMT+03:30", "+03:30"},
      {"UTC+00:00", "UTC"},
      {"-18:00", "-18:00"},
  };
  for (const auto& [text, expected] : zones) {
    EXPECT_EQ(CanonicalTimeZone(text), expected) << text;
  }
}

TEST(TimeZoneNameTest, RefusesTheRest) {
  for (const char* text :
       {"", "Nowhere", "utc", "europe/paris", "+19:00", "+18:01", "+08:60", "+8000", "+",
        "+08:", "8", "UTC3", "UTC+", "+08:00x", "+800", " UTC", "+0:00:0"}) {
    EXPECT_FALSE(CanonicalTimeZone(text).has_value()) << text;
  }
}

TEST(TimeZoneNameTest, SystemZoneIsAlwaysOne) {
  EXPECT_TRUE(CanonicalTimeZone(SystemTimeZone()).has_value());
}

}  // namespace
}  // namespace merganser
