#include "merganser/base/letter_case.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(LetterCaseTest, AsciiLeavesTheRestAlone) {
  EXPECT_EQ(AsciiLowerCase("Order_ID \xC3\x89"), "order_id \xC3\x89");
  EXPECT_EQ(AsciiUpperCase("Order_ID \xC3\xA9"), "ORDER_ID \xC3\xA9");
}

TEST(LetterCaseTest, FoldsAllAlphabets) {
  EXPECT_EQ(FoldCase("Order_ID"), "order_id");
  EXPECT_EQ(FoldCase("\xC3\x89"), "\xC3\xA9");                  // E acute
  EXPECT_EQ(FoldCase("\xD0\x94"), "\xD0\xB4");                  // Cyrillic De
  EXPECT_EQ(FoldCase("\xCE\xA3"), FoldCase("\xCF\x82"));        // capital and final sigma
  EXPECT_EQ(FoldCase("\xC7\x85"), "\xC7\x86");                  // title-case Dz caron
  EXPECT_EQ(FoldCase("\xF0\x90\x90\x80"), "\xF0\x90\x90\xA8");  // Deseret, beyond 16 bits
  EXPECT_EQ(FoldCase("\xC3\x9F"), "\xC3\x9F");                  // sharp s has no single capital
}

TEST(LetterCaseTest, ComparesAsJavaDoes) {
  EXPECT_TRUE(EqualsIgnoringCase("id", "ID"));
  EXPECT_TRUE(EqualsIgnoringCase("caf\xC3\xA9", "CAF\xC3\x89"));
  EXPECT_TRUE(EqualsIgnoringCase("\xC4\xB0", "i"));  // I with dot
  EXPECT_FALSE(EqualsIgnoringCase("id", "id2"));
  EXPECT_FALSE(EqualsIgnoringCase("\xC3\x9F", "ss"));
}

TEST(LetterCaseTest, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(FoldCase("A\xFF\xC3"), "a\xFF\xC3");
  EXPECT_EQ(FoldCase("\xE2\x82"), "\xE2\x82");
  EXPECT_EQ(FoldCase("\xF5\x80\x80\x80"), "\xF5\x80\x80\x80");
}

}  // namespace
}  // namespace merganser
