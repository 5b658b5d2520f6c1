#include "merganser/base/json_reader.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(JsonReaderTest, ReadsMembersInOrder) {
  JsonDocumentParser parser;
  std::vector<std::string> keys;
  int64_t number = 0;
  std::string text;
  std::string raw;
  const bool ok = parser.Parse(
      R"({"a\n":1, "skipped":{"x":[1,2]}, "b":"t\u00e9", "c":{"d": [true]}, "e": null})",
      [&](JsonReader root) {
        return root.Members([&](std::string_view key, JsonReader value) {
          keys.emplace_back(key);
          if (key == "a\n") return value.Read(&number);
          if (key == "b") return value.Read(&text);
          if (key == "c") {
            std::string_view view;
            const bool read = value.ReadText(&view);
            raw = view;
            return read;
          }
          if (key == "e") return value.is_null();
          return true;
        });
      });
  EXPECT_TRUE(ok);
  EXPECT_EQ(keys, (std::vector<std::string>{"a\n", "skipped", "b", "c", "e"}));
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text, "t\xC3\xA9");
  EXPECT_EQ(raw, "{\"d\": [true]}");
}

TEST(JsonReaderTest, RefusesWhatIsNoDocument) {
  JsonDocumentParser parser;
  const auto members = [](JsonReader root) {
    return root.Members([](std::string_view, JsonReader) { return true; });
  };
  for (const char* text : {"", "x", "1", "{", "{\"a\":1", "{\"a\":1}}", "{\"a\":1} {}", "[1]",
                           "{\"a\" 1}", "{\"\xff\":1}"}) {
    EXPECT_FALSE(parser.Parse(text, members)) << text;
  }
  EXPECT_TRUE(parser.Parse("{}", members));
}

TEST(JsonReaderTest, WrongTypesAreFalse) {
  JsonDocumentParser parser;
  EXPECT_FALSE(parser.Parse(R"({"a":"1"})", [](JsonReader root) {
    return root.Members([](std::string_view, JsonReader value) {
      int64_t number = 0;
      return value.Read(&number);
    });
  }));
  EXPECT_FALSE(parser.Parse(R"({"a":3000000000})", [](JsonReader root) {
    return root.Members([](std::string_view, JsonReader value) {
      int32_t number = 0;
      return value.Read(&number);
    });
  }));
}

}  // namespace
}  // namespace merganser
