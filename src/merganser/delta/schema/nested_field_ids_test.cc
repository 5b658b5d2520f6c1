#include "merganser/delta/schema/nested_field_ids.h"

#include <string>

#include <gtest/gtest.h>

namespace merganser {
namespace {

/// m MAP<STRING, ARRAY<STRUCT<y ARRAY<INT>>>>, i INT
MappedSchema Mapped() {
  const DataType inner =
      DataType::Struct(StructType({{"y", DataType::Array(DataType::Integer())}}));
  const StructType schema({{"m", DataType::Map(DataType::String(), DataType::Array(inner))},
                           {"i", DataType::Integer()}});
  return AssignColumnMapping(schema, 0, PhysicalNaming::kDisplay, [] { return std::string(); });
}

std::string Recorded(const StructField& field) {
  return field.metadata.at("delta.columnMapping.nested.ids");
}

TEST(NestedFieldIdsTest, PartsAreNumberedAfterTheFields) {
  const MappedSchema numbered = AssignNestedFieldIds(Mapped());
  EXPECT_EQ(numbered.max_column_id, 7);
  const StructField& map = numbered.schema[0];
  EXPECT_EQ(Recorded(map), R"({"m.key":4,"m.value":5,"m.value.element":6})");
  EXPECT_EQ(Recorded(map.type.value().element().fields()[0]), R"({"y.element":7})");
  EXPECT_EQ(Recorded(numbered.schema[1]), "{}");
  EXPECT_EQ(NestedFieldId(map, NestedFieldPath("m", "value")), 5);
  EXPECT_EQ(NestedFieldId(map, "m.element"), std::nullopt);
  EXPECT_EQ(MaxNestedFieldId(map), 6);
  EXPECT_EQ(MaxColumnId(numbered.schema), 7);
}

TEST(NestedFieldIdsTest, IdsStayAndNewPartsGoOn) {
  MappedSchema numbered = AssignNestedFieldIds(Mapped());
  numbered.schema.Add({"n", DataType::Array(DataType::Long())});
  const MappedSchema again = AssignNestedFieldIds(
      AssignColumnMapping(numbered.schema, numbered.max_column_id, PhysicalNaming::kDisplay,
                          [] { return std::string(); }));
  EXPECT_EQ(again.schema[0], numbered.schema[0]);
  EXPECT_EQ(FieldId(again.schema[2]), 8);
  EXPECT_EQ(Recorded(again.schema[2]), R"({"n.element":9})");
  EXPECT_FALSE(
      DropColumnMapping(again.schema)[0].metadata.contains("delta.columnMapping.nested.ids"));
}

TEST(NestedFieldIdsTest, WhatCannotBeReadIsNoId) {
  const StructField damaged{
      "a", DataType::Array(DataType::Long()), true, {{"delta.columnMapping.nested.ids", "[1"}}};
  EXPECT_EQ(NestedFieldId(damaged, "a.element"), std::nullopt);
  EXPECT_EQ(MaxNestedFieldId(damaged), 0);
}

}  // namespace
}  // namespace merganser
