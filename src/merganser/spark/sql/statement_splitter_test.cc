#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(StatementSplitterTest, CutsAtSemicolonsOutsideOfQuotesAndComments) {
  EXPECT_THAT(SplitStatements("SELECT ';' ; -- a;b\nSELECT `;` /* ; */;\n;;  SELECT \"\\\";\""),
              ElementsAre("SELECT ';'", "-- a;b\nSELECT `;` /* ; */", "SELECT \"\\\";\""));
  EXPECT_THAT(SplitStatements(" ; -- nothing\n ;"), IsEmpty());
}

TEST(StatementSplitterTest, LetsAnOpenQuoteRunToTheEnd) {
  EXPECT_THAT(SplitStatements("SELECT 1; SELECT 'a; SELECT 2;"),
              ElementsAre("SELECT 1", "SELECT 'a; SELECT 2;"));
  EXPECT_THAT(SplitStatements("SELECT 1; /* a; SELECT 2;"),
              ElementsAre("SELECT 1", "/* a; SELECT 2;"));
}

TEST(StatementSplitterTest, KnowsWhenAStatementIsComplete) {
  EXPECT_TRUE(IsComplete("SELECT 1;"));
  EXPECT_TRUE(IsComplete("SELECT ';' ; -- done"));
  EXPECT_FALSE(IsComplete("SELECT 1"));
  EXPECT_FALSE(IsComplete("SELECT ';"));
  EXPECT_FALSE(IsComplete("SELECT 1 /* ;"));
  EXPECT_FALSE(IsComplete(""));
}

TEST(StatementSplitterTest, ParsesScripts) {
  const auto script =
      ParseScript("CREATE TABLE t (a INT) USING delta;\n-- fill it\nINSERT INTO t VALUES (1);");
  ASSERT_TRUE(script.ok());
  ASSERT_EQ(script->size(), 2U);
  EXPECT_NE((*script)[1].As<plan::InsertInto>(), nullptr);
  EXPECT_FALSE(ParseScript("SELECT 1; SELECT FROM WHERE )").ok());
}

}  // namespace
}  // namespace merganser
