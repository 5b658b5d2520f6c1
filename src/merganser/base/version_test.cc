#include "merganser/base/version.h"

#include <sstream>
#include <unordered_set>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(VersionTest, CountsAndCompares) {
  const Version version(3);
  EXPECT_EQ(version.next(), Version(4));
  EXPECT_EQ(version.previous(), Version(2));
  EXPECT_LT(version, Version(10));
  EXPECT_EQ(Version(10) - version, 7);
  EXPECT_EQ(version.ToString(), "3");
  EXPECT_EQ(Version::None().next(), Version(0));
  EXPECT_TRUE(Version::None().is_none());
  EXPECT_FALSE(Version(0).is_none());
}

TEST(VersionTest, PrintsAndHashes) {
  std::ostringstream out;
  out << Version(12);
  EXPECT_EQ(out.str(), "12");
  const std::unordered_set<Version> versions = {Version(1), Version(1), Version(2)};
  EXPECT_EQ(versions.size(), 2u);
}

}  // namespace
}  // namespace merganser
