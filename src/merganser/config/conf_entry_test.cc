#include "merganser/config/conf_entry.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

std::string Outcome(std::string_view key, std::string_view value) {
  const ConfEntry* entry = FindConf(key);
  if (entry == nullptr) return "unknown";
  const Status status = CheckConfValue(*entry, value);
  return status.ok() ? "ok" : status.error().full_name();
}

TEST(ConfEntryTest, KeysAreSortedUniqueAndDocumented) {
  const auto all = KnownConfs();
  for (size_t i = 0; i < all.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(all[i - 1].key, all[i].key);
    }
    EXPECT_FALSE(all[i].doc.empty()) << all[i].key;
    EXPECT_EQ(all[i].type == ConfType::kOption, !all[i].options.empty()) << all[i].key;
    EXPECT_EQ(FindConf(all[i].key), &all[i]);
    EXPECT_NE(ScopeOf(all[i].key), ConfScope::kCore) << all[i].key;
  }
  EXPECT_EQ(FindConf("spark.nope"), nullptr);
  EXPECT_EQ(FindConf("spark.sql.ANSI.enabled"), nullptr);
}

TEST(ConfEntryTest, DefaultsAreValid) {
  for (const ConfEntry& entry : KnownConfs()) {
    if (!entry.default_value) continue;
    const Status status = CheckConfValue(entry, *entry.default_value);
    EXPECT_TRUE(status.ok()) << entry.key;
  }
}

TEST(ConfEntryTest, ChecksTypes) {
  constexpr std::string_view kMismatch = "INVALID_CONF_VALUE.TYPE_MISMATCH";
  EXPECT_EQ(Outcome("spark.sql.ansi.enabled", "TRUE"), "ok");
  EXPECT_EQ(Outcome("spark.sql.ansi.enabled", " false "), "ok");
  EXPECT_EQ(Outcome("spark.sql.ansi.enabled", "maybe"), kMismatch);
  EXPECT_EQ(Outcome("spark.databricks.delta.schema.autoMerge.enabled", "1"), kMismatch);
  EXPECT_EQ(Outcome("spark.sql.shuffle.partitions", "7"), "ok");
  EXPECT_EQ(Outcome("spark.sql.shuffle.partitions", "x"), kMismatch);
  EXPECT_EQ(Outcome("spark.sql.shuffle.partitions", ""), kMismatch);
  EXPECT_EQ(Outcome("spark.sql.shuffle.partitions", "3000000000"), kMismatch);
  EXPECT_EQ(Outcome("spark.sql.shuffle.partitions", "-1"), "INVALID_CONF_VALUE.REQUIREMENT");
  EXPECT_EQ(Outcome("spark.databricks.delta.write.txnVersion", "3000000000"), "ok");
  EXPECT_EQ(Outcome("spark.databricks.delta.optimizeWrite.binSize", "5q"), kMismatch);
  EXPECT_EQ(Outcome("spark.databricks.delta.optimizeWrite.binSize", "64mb"), "ok");
  EXPECT_EQ(Outcome("spark.databricks.delta.stalenessLimit", "1w"), kMismatch);
  EXPECT_EQ(Outcome("spark.databricks.delta.optimize.maxDeletedRowsRatio", "0.5"), "ok");
  EXPECT_EQ(Outcome("spark.databricks.delta.optimize.maxDeletedRowsRatio", "half"), kMismatch);
  EXPECT_EQ(Outcome("spark.databricks.delta.optimize.maxDeletedRowsRatio", "-0.5"),
            "INVALID_CONF_VALUE.REQUIREMENT");
}

TEST(ConfEntryTest, ChecksOptionsWithoutRegardToCase) {
  EXPECT_EQ(Outcome("spark.sql.storeAssignmentPolicy", "strict"), "ok");
  EXPECT_EQ(Outcome("spark.sql.storeAssignmentPolicy", "foo"),
            "INVALID_CONF_VALUE.OUT_OF_RANGE_OF_OPTIONS");
  const Status status = CheckConfValue(*FindConf("spark.databricks.delta.merge.multiMatch"), "off");
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(
      status.error().parameters(),
      ::testing::UnorderedElementsAre(
          ::testing::Pair("confName", "spark.databricks.delta.merge.multiMatch"),
          ::testing::Pair("confValue", "off"), ::testing::Pair("confOptions", "acting, on")));
}

TEST(ConfEntryTest, ChecksTimeZones) {
  EXPECT_EQ(Outcome("spark.sql.session.timeZone", "Europe/Paris"), "ok");
  EXPECT_EQ(Outcome("spark.sql.session.timeZone", "+08:00"), "ok");
  EXPECT_EQ(Outcome("spark.sql.session.timeZone", "Nowhere"), "INVALID_CONF_VALUE.TIME_ZONE");
}

TEST(ConfEntryTest, KnowsWhoMayChangeAKey) {
  EXPECT_EQ(ScopeOf("spark.sql.warehouse.dir"), ConfScope::kStatic);
  EXPECT_EQ(ScopeOf("spark.sql.extensions"), ConfScope::kStatic);
  EXPECT_EQ(ScopeOf("spark.jars.packages"), ConfScope::kCore);
  EXPECT_EQ(ScopeOf("spark.jars"), ConfScope::kCore);
  EXPECT_EQ(ScopeOf("spark.executor.memory"), ConfScope::kCore);
  EXPECT_EQ(ScopeOf("spark.sql.catalog.spark_catalog"), ConfScope::kSession);
  EXPECT_EQ(ScopeOf("spark.sql.ansi.enabled"), ConfScope::kSession);
  EXPECT_EQ(ScopeOf("spark.app.name"), ConfScope::kSession);
  EXPECT_EQ(ScopeOf("spark.my.own"), ConfScope::kSession);
}

}  // namespace
}  // namespace merganser
