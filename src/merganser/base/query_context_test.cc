#include "merganser/base/query_context.h"

#include <gtest/gtest.h>

#include "merganser/base/json.h"

namespace merganser {
namespace {

TEST(QueryContextTest, CountsCharactersAndMarksThePart) {
  const QueryContext place =
      ContextInText(CountedText("SELECT '\xC3\xA4',\n  1/0 AS x\nFROM t"), 15, 18, 2, 2);
  EXPECT_EQ(place.start, 14);
  EXPECT_EQ(place.stop, 16);
  EXPECT_EQ(place.fragment, "1/0");
  EXPECT_FALSE(place.is_call());
  EXPECT_EQ(place.summary, "== SQL (line 2, position 3) ==\n  1/0 AS x\n  ^^^\n");
}

TEST(QueryContextTest, APartOverSeveralLinesIsMarkedOnEach) {
  EXPECT_EQ(ContextInText(CountedText("SELECT 1 /\n 0"), 7, 13, 1, 7).summary,
            "== SQL (line 1, position 8) ==\nSELECT 1 /\n       ^^^\n 0\n^^\n");
}

TEST(QueryContextTest, LongLinesAreCut) {
  const std::string text = "SELECT " + std::string(40, 'a') + ", 1/0, " + std::string(40, 'b');
  EXPECT_EQ(ContextInText(CountedText(text), 49, 52, 1, 49).summary,
            "== SQL (line 1, position 50) ==\n..." + std::string(30, 'a') + ", 1/0, " +
                std::string(30, 'b') + "...\n" + std::string(35, ' ') + "^^^\n");
}

TEST(QueryContextTest, TextsOfViewsAreNamed) {
  const QueryContext place =
      ContextInText(CountedText("SELECT 1/0"), 7, 10, 1, 7, "VIEW", "spark_catalog.default.v");
  EXPECT_EQ(place.summary,
            "== SQL of VIEW spark_catalog.default.v (line 1, position 8) ==\nSELECT 1/0\n       "
            "^^^\n");
}

TEST(QueryContextTest, CountsFromTheNearestBlock) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 3 == 0 ? "\xC3\xA4" : "a";
  const CountedText counted(text);
  int32_t characters = 0;
  for (size_t bytes = 0; bytes <= text.size(); ++bytes) {
    ASSERT_EQ(counted.CharactersIn(bytes), characters) << bytes;
    if (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80)
      ++characters;
  }
  EXPECT_EQ(CountedText().CharactersIn(0), 0);
}

TEST(QueryContextTest, TheEndOfATextIsAPlace) {
  const QueryContext place = ContextInText(CountedText("SELECT"), 6, 6, 1, 6);
  EXPECT_EQ(place.start, 6);
  EXPECT_EQ(place.stop, 6);
  EXPECT_EQ(place.fragment, "");
}

TEST(QueryContextTest, CallsOfAClientsProgram) {
  const QueryContext place = ContextOfCall("__truediv__", "job.py:12");
  EXPECT_TRUE(place.is_call());
  EXPECT_EQ(place.fragment, "__truediv__");
  EXPECT_EQ(place.summary, "== DataFrame ==\n\"__truediv__\" was called from\njob.py:12\n");
}

TEST(QueryContextTest, JsonKeepsAllOfIt) {
  for (const QueryContext& place :
       {ContextOfCall("cast", "a.py:1"), QueryContext(),
        ContextInText(CountedText("SELECT 1/0"), 7, 10, 1, 7, "VIEW", "v")}) {
    const QueryContext back = QueryContext::FromJson(place.ToJson());
    EXPECT_EQ(back.start, place.start);
    EXPECT_EQ(back.stop, place.stop);
    EXPECT_EQ(back.line, place.line);
    EXPECT_EQ(back.column, place.column);
    EXPECT_EQ(back.fragment, place.fragment);
    EXPECT_EQ(back.object_type, place.object_type);
    EXPECT_EQ(back.object_name, place.object_name);
    EXPECT_EQ(back.call_site, place.call_site);
    EXPECT_EQ(back.summary, place.summary);
  }
}

}  // namespace
}  // namespace merganser
