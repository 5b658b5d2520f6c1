#include <gtest/gtest.h>

#include "merganser/connect/plan/plan_from_text_for_test.h"

namespace merganser::connect {
namespace {

std::string TypeOf(const std::string& text) {
  const auto type = TranslateType(FromText<spark::connect::DataType>(text), {});
  return type.ok() ? type->SqlString() : type.error().full_name();
}

TEST(TranslateTypeTest, ReadsEveryKind) {
  EXPECT_EQ(TypeOf("decimal { precision: 12 scale: 3 }"), "DECIMAL(12,3)");
  EXPECT_EQ(TypeOf("decimal {}"), "DECIMAL(10,0)");
  EXPECT_EQ(TypeOf("string { collation: 'UTF8_BINARY' }"), "STRING");
  EXPECT_EQ(TypeOf("var_char { length: 5 }"), "VARCHAR(5)");
  EXPECT_EQ(TypeOf("day_time_interval { start_field: 0 end_field: 0 }"), "INTERVAL DAY");
  EXPECT_EQ(
      TypeOf("map { key_type { string {} } value_type { array { element_type { long {} } } } }"),
      "MAP<STRING, ARRAY<BIGINT>>");
  EXPECT_EQ(TypeOf("struct { fields { name: 'a' data_type { integer {} } } }"),
            "STRUCT<a: INT NOT NULL>");
  EXPECT_EQ(TypeOf("unparsed { data_type_string: 'array<date>' }"), "ARRAY<DATE>");
}

TEST(TranslateTypeTest, RefusesWhatThereIsNotByName) {
  EXPECT_EQ(TypeOf("unparsed { data_type_string: 'nope' }"), "UNSUPPORTED_DATATYPE");
  EXPECT_EQ(TypeOf("string { collation: 'UNICODE' }"), "UNSUPPORTED_DATATYPE");
  EXPECT_EQ(TypeOf("time {}"), "UNSUPPORTED_TIME_TYPE");
  EXPECT_EQ(TypeOf("decimal { precision: 39 }"), "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION");
  EXPECT_EQ(TypeOf("geometry { srid: 4326 }"),
            "CONNECT_INVALID_PLAN.DATA_TYPE_UNSUPPORTED_PROTO_TO_CATALYST");
  EXPECT_EQ(TypeOf(""), "CONNECT_INVALID_PLAN.DATA_TYPE_UNSUPPORTED_PROTO_TO_CATALYST");
}

TEST(TranslateTypeTest, WritesWhatItReads) {
  const auto schema = ParseTableSchema(
      "a BIGINT NOT NULL COMMENT 'it''s', b ARRAY<STRUCT<x: DECIMAL(5,2), y: MAP<STRING, DATE>>>, "
      "c INTERVAL YEAR TO MONTH, d VARIANT, e TIMESTAMP_NTZ, f BINARY, g CHAR(3), h VOID");
  ASSERT_TRUE(schema.ok()) << schema.error().message();
  spark::connect::DataType written;
  WriteType(*schema, &written);
  const auto read = TranslateType(written, {});
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(read->fields(), *schema);
}

}  // namespace
}  // namespace merganser::connect
