#include "merganser/delta/schema/type_widening.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(TypeWideningTest, AllowsWhatTheProtocolAllows) {
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Byte(), DataType::Long()));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Integer(), DataType::Double()));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Float(), DataType::Double()));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Date(), DataType::TimestampNtz()));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Decimal(10, 2), DataType::Decimal(12, 4)));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Short(), DataType::Decimal(11, 1)));
  EXPECT_TRUE(IsTypeChangeSupported(DataType::Long(), DataType::Decimal(20, 0)));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Long(), DataType::Integer()));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Long(), DataType::Double()));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Decimal(10, 2), DataType::Decimal(11, 4)));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Byte(), DataType::Decimal(4, 1)));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Long(), DataType::Decimal(19, 0)));
  EXPECT_FALSE(IsTypeChangeSupported(DataType::Integer(), DataType::String()));
}

StructType Changed(const std::string& changes) {
  return StructType(
      {{"s", DataType::Struct(StructType(
                 {{"a b", DataType::Long(), true, {{"delta.typeChanges", changes}}}}))}});
}

TEST(TypeWideningTest, ChecksWhatFieldsRecord) {
  EXPECT_TRUE(
      CheckTypeChanges(Changed(R"([{"fromType":"short","toType":"integer"},)"
                               R"({"fromType":"integer","toType":"long","fieldPath":"element"}])"))
          .ok());
  const Status refused =
      CheckTypeChanges(Changed(R"([{"fromType":"string","toType":"long","fieldPath":"key"}])"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().error_class(), ErrorClass::DELTA_UNSUPPORTED_TYPE_CHANGE_IN_SCHEMA);
  EXPECT_EQ(refused.error().parameters().at("fieldName"), "s.`a b`.key");
  EXPECT_EQ(refused.error().parameters().at("fromType"), "STRING");
  EXPECT_EQ(CheckTypeChanges(Changed("7")).error().error_class(),
            ErrorClass::DELTA_SCHEMA_CORRUPTED);
  EXPECT_EQ(CheckTypeChanges(Changed("[{}]")).error().error_class(),
            ErrorClass::DELTA_SCHEMA_CORRUPTED);
}

}  // namespace
}  // namespace merganser
