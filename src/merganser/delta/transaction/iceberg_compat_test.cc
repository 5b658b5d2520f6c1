#include "merganser/delta/transaction/iceberg_compat.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

StringMap Enabled(int version) {
  return {{"delta.enableIcebergCompatV" + std::to_string(version), "true"},
          {"delta.columnMapping.mode", "id"},
          {"delta.enableRowTracking", "true"}};
}

struct Change {
  StringMap properties;
  StructType schema = StructType({{"a", DataType::Long()}});
  std::vector<AddFile> added = {};
  Protocol protocol = {3, 7, std::vector<std::string>{"typeWidening"},
                       std::vector<std::string>{"typeWidening"}};
};

/// The subclass that the commit of a new table fails with, or "".
std::string FaultOf(const Change& change) {
  Metadata metadata;
  metadata.configuration = change.properties;
  metadata.schema_string = ToSchemaJson(change.schema);
  const Status status = CheckIcebergCompat({.before = nullptr,
                                            .protocol = &change.protocol,
                                            .metadata = &metadata,
                                            .added = &change.added});
  if (status.ok()) return "";
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_ICEBERG_COMPAT_VIOLATION);
  return status.error().sub_class();
}

std::string FaultOf(int version, const DataType& type) {
  return FaultOf({.properties = Enabled(version), .schema = StructType({{"a", type}})});
}

TEST(IcebergCompatTest, EveryFileSaysHowManyRowsItHas) {
  Change change{.properties = Enabled(2)};
  change.added.resize(1);
  EXPECT_EQ(FaultOf(change), "FILE_WITHOUT_RECORD_COUNT");
  change.added[0].stats = R"({"numRecords":1})";
  EXPECT_EQ(FaultOf(change), "");
  change.added[0].stats = R"({"minValues":{}})";
  EXPECT_EQ(FaultOf(change), "FILE_WITHOUT_RECORD_COUNT");
  change.properties.clear();
  EXPECT_EQ(FaultOf(change), "");
}

TEST(IcebergCompatTest, TypesOfEachVersion) {
  const DataType list = DataType::Array(DataType::Long());
  const DataType deep = DataType::Struct(StructType({{"x", DataType::Array(DataType::Variant())}}));
  EXPECT_EQ(FaultOf(1, list), "UNSUPPORTED_DATA_TYPE");
  EXPECT_EQ(FaultOf(1, DataType::Variant()), "");
  EXPECT_EQ(FaultOf(2, list), "");
  EXPECT_EQ(FaultOf(2, deep), "UNSUPPORTED_DATA_TYPE");
  EXPECT_EQ(FaultOf(3, deep), "");
  EXPECT_EQ(FaultOf(3, DataType::Null()), "UNSUPPORTED_DATA_TYPE");
}

TEST(IcebergCompatTest, PropertiesThatAreNeeded) {
  StringMap unmapped = Enabled(1);
  unmapped["delta.columnMapping.mode"] = "none";
  EXPECT_EQ(FaultOf({.properties = unmapped}), "WRONG_REQUIRED_TABLE_PROPERTY");
  StringMap untracked = Enabled(3);
  untracked["delta.enableRowTracking"] = "false";
  EXPECT_EQ(FaultOf({.properties = untracked}), "WRONG_REQUIRED_TABLE_PROPERTY");
  StringMap both = Enabled(2);
  both["delta.enableIcebergCompatV3"] = "true";
  EXPECT_EQ(FaultOf({.properties = both}), "VERSION_MUTUAL_EXCLUSIVE");
}

TEST(IcebergCompatTest, WideningThatIcebergFollows) {
  const auto fault = [](const char* from, const char* to, const DataType& type) {
    const std::string changes =
        std::string(R"([{"fromType":")") + from + R"(","toType":")" + to + R"("}])";
    return FaultOf({.properties = Enabled(2),
                    .schema = StructType({{"a", type, true, {{"delta.typeChanges", changes}}}})});
  };
  EXPECT_EQ(fault("byte", "integer", DataType::Integer()), "");
  EXPECT_EQ(fault("float", "double", DataType::Double()), "");
  EXPECT_EQ(fault("decimal(4,2)", "decimal(9,2)", DataType::Decimal(9, 2)), "");
  EXPECT_EQ(fault("decimal(4,2)", "decimal(9,3)", DataType::Decimal(9, 3)),
            "UNSUPPORTED_TYPE_WIDENING");
  EXPECT_EQ(fault("integer", "double", DataType::Double()), "UNSUPPORTED_TYPE_WIDENING");
  EXPECT_EQ(fault("date", "timestamp_ntz", DataType::TimestampNtz()), "UNSUPPORTED_TYPE_WIDENING");
}

TEST(IcebergCompatTest, NobodyWritesIcebergMetadata) {
  StringMap properties = Enabled(2);
  EXPECT_TRUE(CheckUniversalFormat(TableProperties(properties)).ok());
  properties["delta.universalFormat.enabledFormats"] = "hudi";
  EXPECT_TRUE(CheckUniversalFormat(TableProperties(properties)).ok());
  properties["delta.universalFormat.enabledFormats"] = "hudi,iceberg";
  EXPECT_EQ(CheckUniversalFormat(TableProperties(properties)).error().error_class(),
            ErrorClass::DELTA_MISSING_ICEBERG_CLASS);
  properties.erase("delta.enableIcebergCompatV2");
  EXPECT_EQ(CheckUniversalFormat(TableProperties(properties)).error().error_class(),
            ErrorClass::DELTA_UNIVERSAL_FORMAT_VIOLATION);
}

}  // namespace
}  // namespace merganser
