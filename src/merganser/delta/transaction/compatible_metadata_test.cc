#include "merganser/delta/transaction/compatible_metadata.h"

#include <string>

#include <gtest/gtest.h>

#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

Metadata Base() {
  Metadata metadata;
  metadata.id = "id";
  metadata.schema_string = ToSchemaJson(
      StructType({{"id", DataType::Long(), true, {{"delta.identity.highWaterMark", "5"}}}}));
  metadata.configuration = {{"delta.appendOnly", "false"}};
  return metadata;
}

Metadata With(const std::string& key, const std::string& value) {
  Metadata metadata = Base();
  metadata.configuration[key] = value;
  return metadata;
}

Protocol Supporting(const std::string& feature) {
  return {3, 7, std::vector<std::string>{feature}, std::vector<std::string>{feature}};
}

TEST(CompatibleMetadataTest, AnIdentityColumnThatCountsOn) {
  Metadata after = Base();
  after.schema_string = ToSchemaJson(
      StructType({{"id", DataType::Long(), true, {{"delta.identity.highWaterMark", "9"}}}}));
  EXPECT_TRUE(IsCompatibleMetadata({}, Base(), after));
  after.schema_string = ToSchemaJson(StructType({{"id", DataType::Integer(), true, {}}}));
  EXPECT_FALSE(IsCompatibleMetadata({}, Base(), after));
}

TEST(CompatibleMetadataTest, WhatTouchesNoFileThatIsWritten) {
  const auto ok = [](const std::string& feature, const std::string& key, const std::string& value) {
    return IsCompatibleMetadata(Supporting(feature), Base(), With(key, value));
  };
  EXPECT_TRUE(ok("deletionVectors", "delta.enableDeletionVectors", "true"));
  EXPECT_FALSE(ok("v2Checkpoint", "delta.enableDeletionVectors", "true"));
  EXPECT_FALSE(ok("deletionVectors", "delta.enableDeletionVectors", "false"));
  EXPECT_TRUE(ok("v2Checkpoint", "delta.checkpointPolicy", "v2"));
  EXPECT_TRUE(ok("inCommitTimestamp", "delta.enableInCommitTimestamps", "true"));
  EXPECT_TRUE(ok("columnMapping", "delta.columnMapping.mode", "name"));
  EXPECT_FALSE(ok("columnMapping", "delta.columnMapping.mode", "id"));
  EXPECT_FALSE(ok("deletionVectors", "delta.appendOnly", "true"));
  EXPECT_FALSE(ok("deletionVectors", "mine", "true"));
}

TEST(CompatibleMetadataTest, NothingGoesAway) {
  Metadata after = Base();
  after.configuration.clear();
  EXPECT_FALSE(IsCompatibleMetadata({}, Base(), after));
  after = Base();
  after.partition_columns = {"id"};
  EXPECT_FALSE(IsCompatibleMetadata({}, Base(), after));
}

}  // namespace
}  // namespace merganser
