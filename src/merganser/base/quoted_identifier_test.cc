#include "merganser/base/quoted_identifier.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(QuotedIdentifierTest, AlwaysQuotes) {
  EXPECT_EQ(QuotedIdentifier("id"), "`id`");
  EXPECT_EQ(QuotedIdentifier("a`b"), "`a``b`");
  EXPECT_EQ(QuotedIdentifier(""), "``");
  const std::vector<std::string> parts = {"a", "b.c"};
  EXPECT_EQ(QuotedIdentifier(parts), "`a`.`b.c`");
}

TEST(QuotedIdentifierTest, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(QuotedIfNeeded("order_id2"), "order_id2");
  EXPECT_EQ(QuotedIfNeeded("2nd"), "2nd");
  EXPECT_EQ(QuotedIfNeeded("22"), "`22`");
  EXPECT_EQ(QuotedIfNeeded("a b"), "`a b`");
  EXPECT_EQ(QuotedIfNeeded(""), "``");
  const std::vector<std::string> parts = {"spark_catalog", "a-b"};
  EXPECT_EQ(QuotedIfNeeded(parts), "spark_catalog.`a-b`");
}

}  // namespace
}  // namespace merganser
