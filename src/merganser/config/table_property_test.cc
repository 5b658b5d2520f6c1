#include "merganser/config/table_property.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string PropertyOutcome(const std::string& key, const std::string& value) {
  const auto valid = ValidateTableProperties({{key, value}}, SessionConf());
  return valid.ok() ? "ok" : valid.error().full_name();
}

TEST(TablePropertyTest, KeysAreSortedAndFoundInAnyCase) {
  for (const TableProperty& property : KnownTableProperties()) {
    EXPECT_TRUE(property.key.starts_with("delta.")) << property.key;
    EXPECT_FALSE(property.doc.empty()) << property.key;
    EXPECT_EQ(property.type == PropertyType::kOption, !property.options.empty()) << property.key;
    EXPECT_EQ(FindTableProperty(property.key), &property);
  }
  EXPECT_EQ(FindTableProperty("DELTA.APPENDONLY"), FindTableProperty("delta.appendOnly"));
  EXPECT_EQ(FindTableProperty("appendOnly"), nullptr);
  EXPECT_EQ(FindTableProperty("delta.nope"), nullptr);
}

TEST(TablePropertyTest, DefaultsAreValid) {
  for (const TableProperty& property : KnownTableProperties()) {
    if (!property.default_value || !property.editable) continue;
    EXPECT_EQ(PropertyOutcome(std::string(property.key), std::string(*property.default_value)),
              "ok")
        << property.key;
  }
}

TEST(TablePropertyTest, NormalisesKeysOfDeltaOnly) {
  const auto valid = ValidateTableProperties({{"delta.APPENDONLY", "TRUE"},
                                              {"Foo", "x"},
                                              {"delta.feature.deletionVectors", "supported"},
                                              {"delta.constraints.Pos", "id > 0"}},
                                             SessionConf());
  ASSERT_TRUE(valid.ok());
  EXPECT_THAT(*valid, ElementsAre(Pair("Foo", "x"), Pair("delta.appendOnly", "TRUE"),
                                  Pair("delta.constraints.Pos", "id > 0"),
                                  Pair("delta.feature.deletionvectors", "supported")));
}

TEST(TablePropertyTest, RefusesUnknownKeysUnlessAllowed) {
  const auto refused = ValidateTableProperties({{"delta.noSuch", "1"}}, SessionConf());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().error_class(), ErrorClass::DELTA_UNKNOWN_CONFIGURATION);
  EXPECT_EQ(refused.error().parameters().at("config"), "delta.noSuch");

  SessionConf conf;
  ASSERT_TRUE(conf.Set("spark.databricks.delta.allowArbitraryProperties.enabled", "true").ok());
  EXPECT_THAT(*ValidateTableProperties({{"delta.noSuch", "1"}}, conf),
              ElementsAre(Pair("delta.noSuch", "1")));
}

TEST(TablePropertyTest, ChecksValues) {
  EXPECT_EQ(PropertyOutcome("delta.appendOnly", "maybe"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.checkpointInterval", "-1"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.checkpointInterval", "ten"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.checkpointInterval", "2"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.columnMapping.maxColumnId", "3"),
            "DELTA_CANNOT_MODIFY_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.columnMapping.mode", "Name"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.columnMapping.mode", "foo"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.isolationLevel", "serializable"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.isolationLevel", "WriteSerializable"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.isolationLevel", "foo"), "DELTA_INVALID_ISOLATION_LEVEL");
  EXPECT_EQ(PropertyOutcome("delta.minReaderVersion", "4"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.minWriterVersion", "7"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.dataSkippingNumIndexedCols", "-1"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.dataSkippingNumIndexedCols", "-2"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.parquet.format.version", "2.5.0"), "ok");
  EXPECT_EQ(PropertyOutcome("delta.parquet.format.version", "9"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.targetFileSize", "100mb"), "DELTA_UNKNOWN_CONFIGURATION");
}

TEST(TablePropertyTest, ChecksColumnLists) {
  for (const char* list : {"id", "id, name", "a.b.c", "`a b`.`c``d`,e"}) {
    EXPECT_EQ(PropertyOutcome("delta.dataSkippingStatsColumns", list), "ok") << list;
  }
  for (const char* list : {"", "id,", ",id", "a b", "`a", "a..b", "``"}) {
    EXPECT_EQ(PropertyOutcome("delta.dataSkippingStatsColumns", list), "INVALID_TABLE_PROPERTY")
        << list;
  }
}

TEST(TablePropertyTest, ChecksIntervals) {
  const std::string key = "delta.setTransactionRetentionDuration";
  EXPECT_EQ(PropertyOutcome(key, "INTERVAL 1 Day 2 hours 3.5 seconds"), "ok");
  EXPECT_EQ(PropertyOutcome(key, "2 weeks"), "ok");
  EXPECT_EQ(PropertyOutcome(key, " "), "DELTA_INVALID_CALENDAR_INTERVAL_EMPTY");
  EXPECT_EQ(PropertyOutcome(key, "foo"), "DELTA_INVALID_INTERVAL");
  EXPECT_EQ(PropertyOutcome(key, "1 year"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome(key, "-1 day"), "INVALID_TABLE_PROPERTY");
}

TEST(TablePropertyTest, LogOutlivesDeletedFiles) {
  EXPECT_EQ(PropertyOutcome("delta.logRetentionDuration", "1 day"), "INVALID_TABLE_PROPERTY");
  EXPECT_EQ(PropertyOutcome("delta.deletedFileRetentionDuration", "40 days"),
            "INVALID_TABLE_PROPERTY");
  const SessionConf conf;
  EXPECT_TRUE(ValidateTableProperties({{"delta.logRetentionDuration", "1 day"},
                                       {"delta.deletedFileRetentionDuration", "1 hour"}},
                                      conf)
                  .ok());
  EXPECT_TRUE(ValidateTableProperties({{"delta.deletedFileRetentionDuration", "40 days"}}, conf,
                                      {{"delta.logRetentionDuration", "60 days"}})
                  .ok());
}

TEST(TablePropertyTest, NewTablesTakeTheSessionsDefaults) {
  SessionConf conf;
  const auto set = [&](const std::string& name, const std::string& value) {
    ASSERT_TRUE(conf.Set("spark.databricks.delta.properties.defaults." + name, value).ok());
  };
  set("appendOnly", "true");
  set("checkpointInterval", "5");
  set("nope", "1");
  set("feature.deletionVectors", "supported");
  const auto properties = NewTableProperties({{"delta.checkpointInterval", "7"}}, conf);
  ASSERT_TRUE(properties.ok());
  EXPECT_THAT(*properties,
              ElementsAre(Pair("delta.appendOnly", "true"), Pair("delta.checkpointInterval", "7"),
                          Pair("delta.feature.deletionvectors", "supported")));

  const auto without = NewTableProperties({{"delta.ignoreProtocolDefaults", "true"}}, conf);
  ASSERT_TRUE(without.ok());
  EXPECT_FALSE(without->contains("delta.feature.deletionvectors"));
  EXPECT_TRUE(without->contains("delta.appendOnly"));

  set("appendOnly", "maybe");
  EXPECT_EQ(NewTableProperties({}, conf).error().error_class(), ErrorClass::INVALID_TABLE_PROPERTY);
  EXPECT_THAT(*NewTableProperties({}, SessionConf()), IsEmpty());
}

TEST(TablePropertyTest, KnowsWhatDescribesTheProtocol) {
  EXPECT_TRUE(IsProtocolProperty("delta.feature.deletionVectors"));
  EXPECT_TRUE(IsProtocolProperty("delta.MINreaderVersion"));
  EXPECT_FALSE(IsProtocolProperty("delta.appendOnly"));
}

}  // namespace
}  // namespace merganser
