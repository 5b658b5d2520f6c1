#include "merganser/delta/schema/data_type.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

StructType AStruct() {
  return StructType(
      {{"a", DataType::Integer()}, {"b c", DataType::String(), false, {{"comment", "\"it's\""}}}});
}

TEST(DataTypeTest, CatalogStringsAreSparks) {
  EXPECT_EQ(DataType::Null().CatalogString(), "void");
  EXPECT_EQ(DataType::Long().CatalogString(), "bigint");
  EXPECT_EQ(DataType::Decimal(10, 2).CatalogString(), "decimal(10,2)");
  EXPECT_EQ(DataType::Varchar(7).CatalogString(), "varchar(7)");
  EXPECT_EQ(DataType::TimestampNtz().CatalogString(), "timestamp_ntz");
  EXPECT_EQ(DataType::YearMonthInterval().CatalogString(), "interval year to month");
  EXPECT_EQ(DataType::DayTimeInterval(1, 1).CatalogString(), "interval hour");
  EXPECT_EQ(DataType::Array(DataType::Map(DataType::String(), DataType::Byte())).CatalogString(),
            "array<map<string,tinyint>>");
  EXPECT_EQ(DataType::Struct(AStruct()).CatalogString(), "struct<a:int,b c:string>");
}

TEST(DataTypeTest, SqlStringsAreSparks) {
  EXPECT_EQ(DataType::Struct(AStruct()).SqlString(),
            "STRUCT<a: INT, `b c`: STRING NOT NULL COMMENT 'it\\'s'>");
  EXPECT_EQ(DataType::Map(DataType::String(), DataType::Short()).SqlString(),
            "MAP<STRING, SMALLINT>");
  EXPECT_EQ(DataType::DayTimeInterval().SqlString(), "INTERVAL DAY TO SECOND");
}

TEST(DataTypeTest, EqualityLooksAtNullabilityAndSameTypeDoesNot) {
  EXPECT_EQ(DataType::Array(DataType::Long()), DataType::Array(DataType::Long()));
  EXPECT_FALSE(DataType::Array(DataType::Long()) == DataType::Array(DataType::Long(), false));
  EXPECT_TRUE(DataType::Array(DataType::Long()).SameType(DataType::Array(DataType::Long(), false)));
  EXPECT_FALSE(DataType::Decimal(10, 2).SameType(DataType::Decimal(10, 3)));
  StructType other = AStruct();
  other.fields()[1].nullable = true;
  other.fields()[1].metadata.clear();
  EXPECT_FALSE(DataType::Struct(AStruct()) == DataType::Struct(other));
  EXPECT_TRUE(DataType::Struct(AStruct()).SameType(DataType::Struct(other)));
  other.fields()[1].name = "B C";
  EXPECT_FALSE(DataType::Struct(AStruct()).SameType(DataType::Struct(other)));
}

TEST(StructTypeTest, FindsFieldsByName) {
  const StructType type = AStruct();
  EXPECT_EQ(type.IndexOf("A"), 0);
  EXPECT_EQ(type.IndexOf("A", true), -1);
  EXPECT_EQ(type.Find("none"), nullptr);
  EXPECT_EQ(type.Find("B c")->name, "b c");
}

}  // namespace
}  // namespace merganser
