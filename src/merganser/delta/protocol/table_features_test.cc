#include "merganser/delta/protocol/table_features.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

using ::testing::ElementsAre;

using Names = std::vector<std::string>;

Protocol Legacy(int reader, int writer) { return {reader, writer, std::nullopt, std::nullopt}; }

Protocol With(const Protocol& protocol, const Names& features) {
  auto result = WithFeatures(protocol, features);
  EXPECT_TRUE(result.ok());
  return result.ok() ? *result : Protocol();
}

TEST(TableFeaturesTest, KnownFeaturesAreSortedAndTheirNeedsAreKnown) {
  const auto features = KnownTableFeatures();
  EXPECT_TRUE(
      std::is_sorted(features.begin(), features.end(),
                     [](const TableFeature& a, const TableFeature& b) { return a.name < b.name; }));
  for (const TableFeature& feature : features) {
    for (const std::string_view required : feature.requires_features) {
      EXPECT_TRUE(required.empty() || FindTableFeature(required) != nullptr) << required;
    }
  }
}

TEST(TableFeaturesTest, VersionsImplyFeatures) {
  EXPECT_THAT(SupportedFeatures(Legacy(1, 1)), ElementsAre());
  EXPECT_THAT(SupportedFeatures(Legacy(1, 2)), ElementsAre("appendOnly", "invariants"));
  EXPECT_TRUE(SupportsFeature(Legacy(2, 5), "columnMapping"));
  EXPECT_FALSE(SupportsFeature(Legacy(1, 5), "columnMapping"));
  EXPECT_FALSE(SupportsFeature(Protocol{3, 7, Names{}, Names{"rowTracking"}}, "appendOnly"));
  EXPECT_TRUE(SupportsFeature(Protocol{1, 7, std::nullopt, Names{"rowTracking"}}, "rowTracking"));
}

TEST(TableFeaturesTest, LegacyVersionsStayWhereTheySuffice) {
  EXPECT_EQ(With(Legacy(1, 1), {}), Legacy(1, 1));
  EXPECT_EQ(With(Legacy(1, 1), {"appendOnly", "invariants"}), Legacy(1, 2));
  EXPECT_EQ(With(Legacy(1, 2), {"checkConstraints"}), Legacy(1, 3));
  const Protocol named{1, 7, std::nullopt, Names{"appendOnly", "invariants"}};
  EXPECT_EQ(With(named, {}), Legacy(1, 2));
}

TEST(TableFeaturesTest, NamesFeaturesWhereVersionsDoNotSuffice) {
  EXPECT_EQ(With(Legacy(1, 1), {"appendOnly"}),
            (Protocol{1, 7, std::nullopt, Names{"appendOnly"}}));
  EXPECT_EQ(With(Legacy(1, 2), {"deletionVectors"}),
            (Protocol{3, 7, Names{"deletionVectors"},
                      Names{"appendOnly", "invariants", "deletionVectors"}}));
  EXPECT_EQ(With(Legacy(1, 2), {"columnMapping"}),
            (Protocol{2, 7, std::nullopt, Names{"appendOnly", "invariants", "columnMapping"}}));
  const Protocol clustered = With(Legacy(1, 1), {"clustering"});
  EXPECT_EQ(clustered.min_reader_version, 1);
  EXPECT_THAT(*clustered.writer_features, ElementsAre("clustering", "domainMetadata"));
  const Protocol both = With(Legacy(2, 5), {"timestampNtz"});
  EXPECT_THAT(*both.reader_features, ElementsAre("columnMapping", "timestampNtz"));
}

TEST(TableFeaturesTest, RefusesUnknownNames) {
  const auto result = WithFeatures(Legacy(1, 2), Names{"warpDrive"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error_class(), ErrorClass::DELTA_UNSUPPORTED_FEATURES_IN_CONFIG);
}

TEST(TableFeaturesTest, KeepsFeaturesOfOtherBuilds) {
  const Protocol foreign{3, 7, Names{"warpDrive"}, Names{"warpDrive", "hyperSpace"}};
  const Protocol upgraded = With(foreign, {"rowTracking"});
  EXPECT_THAT(*upgraded.reader_features, ElementsAre("warpDrive"));
  EXPECT_THAT(*upgraded.writer_features,
              ElementsAre("warpDrive", "hyperSpace", "rowTracking", "domainMetadata"));
}

TEST(TableFeaturesTest, ReadingNamesEveryFeatureThatIsMissing) {
  EXPECT_TRUE(CheckReadable(Legacy(2, 6), "t").ok());
  EXPECT_TRUE(
      CheckReadable(Protocol{3, 7, Names{"deletionVectors"}, Names{"deletionVectors", "x"}}, "t")
          .ok());
  const Status status =
      CheckReadable(Protocol{3, 7, Names{"a", "deletionVectors", "catalogManaged"}, Names{}}, "t");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_READ);
  EXPECT_EQ(status.error().kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(status.error().parameters().at("unsupported"), "a, catalogManaged");
  const Status newer = CheckReadable(Legacy(4, 8), "t");
  ASSERT_FALSE(newer.ok());
  EXPECT_EQ(newer.error().error_class(), ErrorClass::DELTA_INVALID_PROTOCOL_VERSION);
  EXPECT_EQ(newer.error().parameters().at("readerRequired"), "4");
}

TEST(TableFeaturesTest, WritingChecksReadersFeaturesToo) {
  EXPECT_TRUE(CheckWritable(Legacy(1, 2), "t").ok());
  EXPECT_EQ(CheckWritable(Legacy(1, 8), "t").error().error_class(),
            ErrorClass::DELTA_INVALID_PROTOCOL_VERSION);
  EXPECT_EQ(CheckWritable(Protocol{3, 7, Names{"x"}, Names{"x"}}, "t").error().error_class(),
            ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_READ);
  const Status status = CheckWritable(Protocol{1, 7, std::nullopt, Names{"x", "appendOnly"}}, "t");
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_WRITE);
  EXPECT_EQ(status.error().parameters().at("unsupported"), "x");
}

TEST(TablePropertiesTest, OneVersionOfIcebergCompatibilityCounts) {
  const auto version = [](StringMap properties) {
    return TableProperties(std::move(properties)).iceberg_compat_version();
  };
  EXPECT_EQ(version({}), 0);
  EXPECT_EQ(version({{"delta.enableIcebergCompatV1", "false"}}), 0);
  EXPECT_EQ(version({{"delta.enableIcebergCompatV2", "true"}}), 2);
  EXPECT_EQ(
      version({{"delta.enableIcebergCompatV1", "true"}, {"delta.enableIcebergCompatV3", "true"}}),
      1);
}

TEST(TablePropertiesTest, DefaultsAndValues) {
  const TableProperties defaults;
  EXPECT_EQ(defaults.checkpoint_interval(), 10);
  EXPECT_EQ(defaults.data_skipping_num_indexed_columns(), 32);
  EXPECT_EQ(defaults.deleted_file_retention_ms(), 7 * 86'400'000LL);
  EXPECT_TRUE(defaults.checkpoint_write_stats_as_json());
  EXPECT_EQ(defaults.column_mapping_mode(), ColumnMappingMode::kNone);
  const TableProperties set({{"delta.checkpointInterval", "3"},
                             {"delta.appendOnly", "TRUE"},
                             {"delta.logRetentionDuration", "interval 2 days"},
                             {"delta.columnMapping.mode", "id"},
                             {"delta.constraints.b", "x > 0"},
                             {"delta.constraints.a", "y > 0"},
                             {"delta.dataSkippingNumIndexedCols", "many"}});
  EXPECT_EQ(set.checkpoint_interval(), 3);
  EXPECT_TRUE(set.append_only());
  EXPECT_EQ(set.log_retention_ms(), 2 * 86'400'000LL);
  EXPECT_EQ(set.column_mapping_mode(), ColumnMappingMode::kId);
  EXPECT_EQ(set.data_skipping_num_indexed_columns(), 32);
  EXPECT_EQ(set.constraints().front().first, "a");
}

}  // namespace
}  // namespace merganser
