#include <gtest/gtest.h>

#include "merganser/engine/variant/variant_binary.h"
#include "merganser/engine/variant/variant_text.h"

namespace merganser::engine {
namespace {

using namespace std::string_literals;

std::string RoundTrip(const std::string& json) {
  const auto variant = JsonToVariant(json);
  if (!variant) return "not JSON";
  return VariantToJson(variant->metadata, variant->value).value_or("not a variant");
}

TEST(Variant, KeepsDocuments) {
  for (const char* json :
       {"null", "true", "false", "0", "-128", "300", "70000", "5000000000", "\"text\"", "\"\"",
        "[]", "{}", "1.50", "-0.001", "12345678901234567890.12", "[1,[2,{\"a\":null}],\"x\"]",
        "{\"a\":1,\"b\":{\"a\":[true],\"c\":\"d\"}}", "1.0E300"}) {
    EXPECT_EQ(RoundTrip(json), json);
  }
  const std::string long_text = "\"" + std::string(1000, 'x') + "\"";
  EXPECT_EQ(RoundTrip(long_text), long_text);
}

TEST(Variant, SortsMembersAndKeepsTheLastOfAName) {
  EXPECT_EQ(RoundTrip("{\"b\":1,\"a\":2,\"b\":3}"), "{\"a\":2,\"b\":3}");
}

TEST(Variant, KeepsBigContainers) {
  std::string list = "[";
  std::string object = "{";
  for (int i = 1000; i < 1400; ++i) {
    const std::string separator = i == 1000 ? "" : ",";
    list += separator + std::to_string(i);
    object += separator + "\"k" + std::to_string(i) + "\":" + std::to_string(i);
  }
  EXPECT_EQ(RoundTrip(list + "]"), list + "]");
  EXPECT_EQ(RoundTrip(object + "}"), object + "}");
}

TEST(Variant, ReadsTypesThatJsonLacks) {
  const std::string names = "\x01\x00\x00"s;
  EXPECT_EQ(VariantToJson(names, "\x2c\x01\x00\x00\x00"s), "\"1970-01-02\"");
  EXPECT_EQ(VariantToJson(names, "\x30\x40\x42\x0f\x00\x00\x00\x00\x00"s),
            "\"1970-01-01 00:00:01+00:00\"");
  EXPECT_EQ(VariantToJson(names, "\x34\x40\x42\x0f\x00\x00\x00\x00\x00"s),
            "\"1970-01-01 00:00:01\"");
  EXPECT_EQ(VariantToJson(names, "\x3c\x04\x00\x00\x00\x01\x02\x03\x04"s), "\"AQIDBA==\"");
}

TEST(Variant, RefusesBytesThatAreNone) {
  const std::string names = "\x01\x00\x00"s;
  EXPECT_EQ(VariantToJson("", ""), std::nullopt);
  EXPECT_EQ(VariantToJson(names, ""), std::nullopt);
  EXPECT_EQ(VariantToJson(names, "\x14\x01"s), std::nullopt);
  EXPECT_EQ(VariantToJson(names, "\x02\x01\x05\x00\x01\x00"s), std::nullopt);
  EXPECT_EQ(JsonToVariant("{"), std::nullopt);
  const auto variant = JsonToVariant("{\"a\":[1,2.5,\"text\"],\"b\":{\"c\":null}}");
  for (size_t length = 0; length < variant->value.size(); ++length) {
    VariantToJson(variant->metadata, variant->value.substr(0, length));
    VariantToJson(variant->metadata.substr(0, length % variant->metadata.size()), variant->value);
  }
}

}  // namespace
}  // namespace merganser::engine
