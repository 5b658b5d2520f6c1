#include "merganser/base/json.h"

#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

std::string RoundTrip(std::string_view text) {
  auto parsed = Json::Parse(text);
  return parsed.ok() ? parsed->Dump() : parsed.error().message();
}

TEST(JsonTest, KeepsMemberOrderAndDropsSpace) {
  EXPECT_EQ(RoundTrip(" { \"b\" : [1, 2.50 , null,true] , \"a\" : {} } "),
            R"({"b":[1,2.50,null,true],"a":{}})");
}

TEST(JsonTest, KeepsNumbersAsWritten) {
  for (const char* text :
       {"0", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "12345678901234567890123456789012345678", "1.10", "1E300", "123456789012345678.90"}) {
    EXPECT_EQ(RoundTrip(text), std::string(text) == "-0" ? "0" : text);
  }
  EXPECT_TRUE(Json::Parse("9223372036854775807")->is_int());
  EXPECT_FALSE(Json::Parse("9223372036854775808")->is_int());
  EXPECT_FALSE(Json::Parse("1.0")->is_int());
  EXPECT_EQ(Json::Parse("1e-400")->as_double(), 0.0);
}

TEST(JsonTest, EscapesOnlyWhatItMust) {
  EXPECT_EQ(Json("a/b\"\\\n\t\x01\x1F\x7F\xC3\xA9").Dump(),
            "\"a/b\\\"\\\\\\n\\t\\u0001\\u001F\x7F\xC3\xA9\"");
  EXPECT_EQ(RoundTrip(R"("\u00e9\ud83d\ude00\/")"), "\"\xC3\xA9\xF0\x9F\x98\x80/\"");
}

TEST(JsonTest, WritesDoublesAsJavaDoes) {
  EXPECT_EQ(Json(1.0).Dump(), "1.0");
  EXPECT_EQ(Json(1e10).Dump(), "1.0E10");
  EXPECT_EQ(Json(std::nan("")).Dump(), "\"NaN\"");
  EXPECT_EQ(Json(-std::numeric_limits<double>::infinity()).Dump(), "\"-Infinity\"");
}

TEST(JsonTest, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":}", "nul", "1 2", "\"\x01\"", "'a'", "NaN",
                           "{\"a\":1}}", "\"\xFF\"", "01", "1e400"}) {
    auto parsed = Json::Parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().error_class(), ErrorClass::MALFORMED_JSON) << text;
  }
}

TEST(JsonTest, RefusesDeepNesting) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(Json::Parse(nested(512)).ok());
  EXPECT_FALSE(Json::Parse(nested(513)).ok());
  EXPECT_FALSE(Json::Parse(std::string(1000000, '[')).ok());
}

TEST(JsonTest, LastOfRepeatedKeysWins) {
  EXPECT_EQ(RoundTrip(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
}

TEST(JsonTest, BuildsAndEdits) {
  Json json;
  json["type"] = "struct";
  json["fields"].Append(Json::MakeObject({{"name", "id"}, {"nullable", true}}));
  json.Set("n", int64_t{1}).Set("n", 2).Set("x", 1.5);
  EXPECT_EQ(json.Dump(),
            R"({"type":"struct","fields":[{"name":"id","nullable":true}],"n":2,"x":1.5})");
  EXPECT_TRUE(json.Erase("fields"));
  EXPECT_FALSE(json.Erase("fields"));
  EXPECT_EQ(json.Dump(), R"({"type":"struct","n":2,"x":1.5})");
  EXPECT_EQ(json.DumpPretty(), "{\n  \"type\": \"struct\",\n  \"n\": 2,\n  \"x\": 1.5\n}");
  EXPECT_EQ(Json::MakeObject().DumpPretty(), "{}");
  EXPECT_EQ(Json::MakeArray().Dump(), "[]");
}

TEST(JsonTest, LooksUpByKeyAndType) {
  const Json json = *Json::Parse(R"({"s":"x","i":7,"b":true,"z":null})");
  EXPECT_EQ(json.string_or("s"), "x");
  EXPECT_EQ(json.string_or("i", "none"), "none");
  EXPECT_EQ(json.int_or("i", 0), 7);
  EXPECT_EQ(json.int_or("s", -1), -1);
  EXPECT_TRUE(json.bool_or("b", false));
  EXPECT_TRUE(json.contains("z"));
  EXPECT_TRUE(json.find("z")->is_null());
  EXPECT_EQ(json.find("missing"), nullptr);
  EXPECT_EQ(Json(3).find("a"), nullptr);
  EXPECT_EQ(Json(3).size(), 0u);
  EXPECT_EQ(json.size(), 4u);
}

TEST(JsonTest, ComparesByValue) {
  EXPECT_EQ(*Json::Parse(R"({"a":1,"b":[2]})"), *Json::Parse(R"({"b":[2],"a":1})"));
  EXPECT_FALSE(*Json::Parse("[1,2]") == *Json::Parse("[2,1]"));
  EXPECT_EQ(*Json::Parse("1.0"), *Json::Parse("1"));
  EXPECT_FALSE(Json("1") == Json(1));
  EXPECT_FALSE(*Json::Parse(R"({"a":1})") == *Json::Parse(R"({"b":1})"));
}

}  // namespace
}  // namespace merganser
