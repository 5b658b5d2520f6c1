#include "merganser/delta/schema/schema_json.h"

#include <gtest/gtest.h>

#include "merganser/delta/schema/char_varchar.h"

namespace merganser {
namespace {

constexpr std::string_view kNested =
    R"json({"type":"struct","fields":[)json"
    R"json({"name":"a","type":"integer","nullable":false,"metadata":{}},)json"
    R"json({"name":"b","type":{"type":"struct","fields":[{"name":"d","type":"decimal(10,2)","nullable":true,"metadata":{}}]},"nullable":true,"metadata":{}},)json"
    R"json({"name":"c","type":{"type":"array","elementType":"timestamp_ntz","containsNull":false},"nullable":true,"metadata":{}},)json"
    R"json({"name":"f","type":{"type":"map","keyType":"string","valueType":"variant","valueContainsNull":true},"nullable":true,)json"
    R"json("metadata":{"comment":"it's","delta.columnMapping.id":4,"delta.identity.allowExplicitInsert":true,"x":{"y":[1,2.50]}}}]})json";

TEST(SchemaJsonTest, ReadsAndWritesTheSameText) {
  const auto schema = ParseSchemaJson(kNested);
  ASSERT_TRUE(schema.ok());
  ASSERT_EQ(schema->size(), 4u);
  EXPECT_FALSE((*schema)[0].nullable);
  EXPECT_EQ((*schema)[1].type.fields()[0].type, DataType::Decimal(10, 2));
  EXPECT_FALSE((*schema)[2].type.contains_null());
  EXPECT_EQ((*schema)[3].metadata.at("x"), R"json({"y":[1,2.50]})json");
  EXPECT_EQ(ToSchemaJson(*schema), kNested);
}

TEST(SchemaJsonTest, ReadsTypesOfOtherWriters) {
  EXPECT_EQ(*ParseTypeJson(R"json("decimal(10, 4)")json"), DataType::Decimal(10, 4));
  EXPECT_EQ(*ParseTypeJson(R"json("decimal")json"), DataType::Decimal(10, 0));
  EXPECT_EQ(*ParseTypeJson(R"json({"type":"variant"})json"), DataType::Variant());
  EXPECT_EQ(*ParseTypeJson(R"json("interval day to second")json"), DataType::DayTimeInterval());
  EXPECT_EQ(*ParseTypeJson(R"json({"type":"udt","class":"x","sqlType":"double"})json"),
            DataType::Double());
  EXPECT_EQ(*ParseTypeJson(R"json("varchar(3)")json"), DataType::Varchar(3));
}

TEST(SchemaJsonTest, RefusesWhatIsNoSchema) {
  for (const char* text :
       {"", "{}", "[]", "{\"type\":\"struct\"}", "{\"type\":\"struct\",\"fields\":[{}]}",
        "{\"type\":\"struct\",\"fields\":[{\"name\":\"a\"}]}"}) {
    const auto schema = ParseSchemaJson(text);
    ASSERT_FALSE(schema.ok()) << text;
    EXPECT_EQ(schema.error().error_class(), ErrorClass::DELTA_SCHEMA_CORRUPTED);
    EXPECT_EQ(schema.error().kind(), ErrorKind::kCorruption);
  }
}

TEST(SchemaJsonTest, NamesTheTypeItDoesNotKnow) {
  EXPECT_EQ(ParseTypeJson(R"json("quaternion")json").error().parameters().at("invalidType"),
            "quaternion");
  EXPECT_EQ(ParseTypeJson(R"json("decimal(39,0)")json").error().error_class(),
            ErrorClass::INVALID_JSON_DATA_TYPE);
  EXPECT_EQ(ParseTypeJson(R"json("geometry(4326)")json").error().error_class(),
            ErrorClass::DELTA_GEOSPATIAL_NOT_SUPPORTED);
}

TEST(SchemaJsonTest, KeepsCharAndVarcharInMetadata) {
  const StructType inner({{"x,y", DataType::Char(2)}, {"n", DataType::Decimal(5, 1)}});
  const StructType declared(
      {{"v", DataType::Varchar(10)},
       {"nested",
        DataType::Map(DataType::String(), DataType::Array(DataType::Struct(inner), false))}});
  const auto stored = ParseSchemaJson(ToSchemaJson(declared));
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ((*stored)[0].type, DataType::String());
  EXPECT_EQ((*stored)[0].metadata.at("__CHAR_VARCHAR_TYPE_STRING"), "\"varchar(10)\"");
  EXPECT_EQ(DeclaredType((*stored)[0]), DataType::Varchar(10));
  EXPECT_EQ(DeclaredType((*stored)[1]), declared[1].type);
  EXPECT_EQ(ToSchemaJson(*stored), ToSchemaJson(declared));
}

}  // namespace
}  // namespace merganser
