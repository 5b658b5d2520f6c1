#include "merganser/delta/schema/partition_value.h"

#include <cmath>

#include <gtest/gtest.h>

namespace merganser {
namespace {

Scalar Parsed(const DataType& type, std::string_view text) {
  auto value = ParsePartitionValue(type, text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : Scalar::Null(type);
}

TEST(PartitionValueTest, ReadsEveryType) {
  EXPECT_EQ(Parsed(DataType::Boolean(), "true"), Scalar::Boolean(true));
  EXPECT_EQ(Parsed(DataType::Byte(), "-128"), Scalar::Integral(DataType::Byte(), -128));
  EXPECT_EQ(Parsed(DataType::Long(), "9223372036854775807"), Scalar::Long(INT64_MAX));
  EXPECT_EQ(Parsed(DataType::Double(), "1.5E300"), Scalar::Double(1.5e300));
  EXPECT_TRUE(std::isnan(Parsed(DataType::Float(), "NaN").floating()));
  EXPECT_EQ(Parsed(DataType::Decimal(10, 3), "-12.5"),
            Scalar::Decimal(DataType::Decimal(10, 3), -12500));
  EXPECT_EQ(Parsed(DataType::Date(), "1969-12-31"), Scalar::Date(-1));
  EXPECT_EQ(Parsed(DataType::String(), "a/b"), Scalar::String("a/b"));
  EXPECT_EQ(Parsed(DataType::Binary(), "\x01\x02"), Scalar::Binary("\x01\x02"));
  EXPECT_EQ(Parsed(DataType::TimestampNtz(), "1970-01-01 00:00:01.5"),
            Scalar::TimestampNtz(1'500'000));
}

TEST(PartitionValueTest, TimestampsCarryAZoneOrTakeTheSessions) {
  EXPECT_EQ(Parsed(DataType::Timestamp(), "1970-01-01T00:00:00.123456Z"),
            Scalar::Timestamp(123'456));
  EXPECT_EQ(Parsed(DataType::Timestamp(), "1970-01-01 01:00:00+01:00"), Scalar::Timestamp(0));
  EXPECT_EQ(Parsed(DataType::Timestamp(), "1970-01-01 00:00:00"), Scalar::Timestamp(0));
  const LocalToInstant one_hour_east = [](int64_t local) { return local - 3'600'000'000; };
  EXPECT_EQ(*ParsePartitionValue(DataType::Timestamp(), "1970-01-01 01:00:00", one_hour_east),
            Scalar::Timestamp(0));
  EXPECT_EQ(*ParsePartitionValue(DataType::Timestamp(), "1970-01-01T00:00:00Z", one_hour_east),
            Scalar::Timestamp(0));
}

TEST(PartitionValueTest, EmptyTextIsNull) {
  EXPECT_TRUE(Parsed(DataType::String(), "").is_null());
  EXPECT_TRUE(ParsePartitionValue(DataType::Long(), std::nullopt)->is_null());
}

TEST(PartitionValueTest, RefusesTextOfAnotherType) {
  EXPECT_FALSE(ParsePartitionValue(DataType::Integer(), "1x").ok());
  EXPECT_FALSE(ParsePartitionValue(DataType::Byte(), "128").ok());
  EXPECT_FALSE(ParsePartitionValue(DataType::Date(), "2024-02-30").ok());
  const auto failed = ParsePartitionValue(DataType::Boolean(), "maybe");
  EXPECT_EQ(failed.error().error_class(), ErrorClass::DELTA_FAILED_CAST_PARTITION_VALUE);
  EXPECT_EQ(failed.error().parameters().at("dataType"), "BOOLEAN");
}

TEST(PartitionValueTest, WritesWhatDeltaWrites) {
  EXPECT_EQ(FormatPartitionValue(Scalar::Timestamp(123'456)), "1970-01-01T00:00:00.123456Z");
  EXPECT_EQ(FormatPartitionValue(Scalar::Timestamp(0)), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(FormatPartitionValue(Scalar::TimestampNtz(1'500'000)), "1970-01-01 00:00:01.5");
  EXPECT_EQ(FormatPartitionValue(Scalar::Date(0)), "1970-01-01");
  EXPECT_EQ(FormatPartitionValue(Scalar::Double(1e10)), "1.0E10");
  EXPECT_EQ(FormatPartitionValue(Scalar::Decimal(DataType::Decimal(5, 2), -5)), "-0.05");
  EXPECT_EQ(FormatPartitionValue(Scalar::String("")), std::nullopt);
  EXPECT_EQ(FormatPartitionValue(Scalar::Null(DataType::Long())), std::nullopt);
}

TEST(PartitionValueTest, EscapesFoldersAsSparkDoes) {
  EXPECT_EQ(EscapePathName("a b%c=d:e/f\x7f\n"), "a b%25c%3Dd%3Ae%2Ff%7F%0A");
  EXPECT_EQ(EscapePathName("\xC3\xA9(1)~!@$&+,;"), "\xC3\xA9(1)~!@$&+,;");
  EXPECT_EQ(UnescapePathName("a b%25c%3Dd"), "a b%c=d");
  EXPECT_EQ(PartitionDirectory({{"y", "2024"}, {"a=b", std::nullopt}, {"e", ""}}),
            "y=2024/a%3Db=__HIVE_DEFAULT_PARTITION__/e=__HIVE_DEFAULT_PARTITION__/");
}

}  // namespace
}  // namespace merganser
