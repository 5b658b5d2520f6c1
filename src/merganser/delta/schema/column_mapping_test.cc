#include "merganser/delta/schema/column_mapping.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

StructType Schema() {
  return StructType(
      {{"a", DataType::Long()},
       {"s", DataType::Array(DataType::Struct(StructType({{"x", DataType::String()}})))}});
}

std::function<std::string()> Counter() {
  return [n = 0]() mutable { return "u" + std::to_string(n++); };
}

TEST(ColumnMappingTest, NewTablesGetUniqueNamesAndIdsOutsideIn) {
  const MappedSchema mapped = AssignColumnMapping(Schema(), 0, PhysicalNaming::kUnique, Counter());
  EXPECT_EQ(mapped.max_column_id, 3);
  EXPECT_EQ(FieldId(mapped.schema[0]), 1);
  EXPECT_EQ(FieldId(mapped.schema[1]), 2);
  EXPECT_EQ(PhysicalName(mapped.schema[0], ColumnMappingMode::kName), "col-u0");
  const StructField& inner = mapped.schema[1].type.element().fields()[0];
  EXPECT_EQ(FieldId(inner), 3);
  EXPECT_EQ(PhysicalName(inner, ColumnMappingMode::kId), "col-u2");
  EXPECT_EQ(PhysicalName(inner, ColumnMappingMode::kNone), "x");
}

TEST(ColumnMappingTest, SwitchedTablesKeepTheNamesOfTheirFiles) {
  const MappedSchema mapped = AssignColumnMapping(Schema(), 0, PhysicalNaming::kDisplay, Counter());
  EXPECT_EQ(ToPhysicalSchema(mapped.schema, ColumnMappingMode::kName)[0].name, "a");
}

TEST(ColumnMappingTest, AddedColumnsGoOnFromTheHighestId) {
  StructType schema = AssignColumnMapping(Schema(), 0, PhysicalNaming::kUnique, Counter()).schema;
  schema.Add({"b", DataType::Long()});
  const MappedSchema mapped =
      AssignColumnMapping(schema, 7, PhysicalNaming::kUnique, [] { return "new"; });
  EXPECT_EQ(mapped.max_column_id, 8);
  EXPECT_EQ(FieldId(mapped.schema[0]), 1);
  EXPECT_EQ(FieldId(mapped.schema[2]), 8);
  const StructType physical = ToPhysicalSchema(mapped.schema, ColumnMappingMode::kName);
  EXPECT_EQ(physical[2].name, "col-new");
  EXPECT_EQ(physical[1].type.element().fields()[0].name, "col-u2");
  EXPECT_EQ(DropColumnMapping(mapped.schema)[2], StructField({"b", DataType::Long()}));
  EXPECT_EQ(MaxColumnId(mapped.schema), 8);
}

/// Ids of the outer fields, 0 for none.
std::vector<int64_t> Ids(const StructType& schema) {
  std::vector<int64_t> ids;
  for (const StructField& field : schema) ids.push_back(FieldId(field).value_or(0));
  return ids;
}

TEST(ColumnMappingTest, ColumnsOfAReplacedTableStayWhatTheyWere) {
  const DataType inner = DataType::Struct(StructType({{"x", DataType::Integer()}}));
  const StructType old = AssignColumnMapping(StructType({{"a", DataType::Long()},
                                                         {"b", DataType::String(), false, {}},
                                                         {"c", DataType::String()},
                                                         {"s", inner}}),
                                             0, PhysicalNaming::kUnique, Counter())
                             .schema;
  const DataType wider =
      DataType::Struct(StructType({{"x", DataType::Integer()}, {"y", DataType::Integer()}}));
  const StructType kept = KeepColumnMapping(StructType({{"s", wider},
                                                        {"c", DataType::String(), false, {}},
                                                        {"B", DataType::String()},
                                                        {"a", DataType::Integer()},
                                                        {"new", DataType::Long()}}),
                                            old);
  // `a` and `s` have other types.
  EXPECT_EQ(Ids(kept), (std::vector<int64_t>{0, 3, 2, 0, 0}));
  EXPECT_EQ(PhysicalName(kept[2], ColumnMappingMode::kName), "col-u1");
  EXPECT_EQ(Ids(kept[0].type.fields()), (std::vector<int64_t>{5, 0}));
  const auto array = [](bool contains_null) {
    return StructType({{"l", DataType::Array(DataType::Long(), contains_null)}});
  };
  const StructType lists =
      AssignColumnMapping(array(false), 0, PhysicalNaming::kUnique, Counter()).schema;
  EXPECT_EQ(Ids(KeepColumnMapping(array(true), lists)), (std::vector<int64_t>{1}));
  const StructType nullable =
      AssignColumnMapping(array(true), 0, PhysicalNaming::kUnique, Counter()).schema;
  EXPECT_EQ(Ids(KeepColumnMapping(array(false), nullable)), (std::vector<int64_t>{0}));
}

TEST(ColumnMappingTest, ReadsModes) {
  EXPECT_EQ(ParseColumnMappingMode("NAME"), ColumnMappingMode::kName);
  EXPECT_EQ(ParseColumnMappingMode("none"), ColumnMappingMode::kNone);
  EXPECT_EQ(ParseColumnMappingMode("x"), std::nullopt);
}

}  // namespace
}  // namespace merganser
