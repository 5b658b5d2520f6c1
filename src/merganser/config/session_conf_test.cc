#include "merganser/config/session_conf.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/time_zone_name.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

ErrorClass SetFailsWith(SessionConf* conf, std::string_view key, std::string_view value) {
  const Status status = conf->Set(key, value);
  return status.ok() ? ErrorClass::INTERNAL_ERROR : status.error().error_class();
}

TEST(SessionConfTest, StartsWithTheDefaults) {
  const SessionConf conf;
  EXPECT_TRUE(conf.ansi_enabled());
  EXPECT_FALSE(conf.case_sensitive());
  EXPECT_EQ(conf.session_time_zone(), SystemTimeZone());
  EXPECT_EQ(conf.store_assignment_policy(), StoreAssignmentPolicy::kAnsi);
  EXPECT_FALSE(conf.timestamp_is_ntz());
  EXPECT_FALSE(conf.dynamic_partition_overwrite());
  EXPECT_FALSE(conf.schema_auto_merge());
  EXPECT_EQ(conf.multi_match_rule(), MultiMatchRule::kActing);
  EXPECT_EQ(conf.automatic_type_widening(), "always");
  EXPECT_EQ(conf.max_commit_attempts(), 10000000);
  EXPECT_EQ(conf.optimize_max_file_size(), 1073741824);
  EXPECT_DOUBLE_EQ(conf.optimize_max_deleted_rows_ratio(), 0.05);
  EXPECT_EQ(conf.txn_version(), std::nullopt);
  EXPECT_EQ(conf.user_metadata(), std::nullopt);
  EXPECT_TRUE(conf.explicit_values().empty());
}

TEST(SessionConfTest, SetsAndKeepsTheTextAsGiven) {
  SessionConf conf;
  ASSERT_TRUE(conf.Set("spark.sql.ansi.enabled", "FALSE").ok());
  ASSERT_TRUE(conf.Set("spark.sql.storeAssignmentPolicy", "strict").ok());
  ASSERT_TRUE(conf.Set("spark.sql.session.timeZone", "PST").ok());
  ASSERT_TRUE(conf.Set("spark.sql.timestampType", "timestamp_ntz").ok());
  ASSERT_TRUE(conf.Set("spark.databricks.delta.merge.multiMatch", "on").ok());
  ASSERT_TRUE(conf.Set("spark.databricks.delta.write.txnVersion", "+12").ok());
  EXPECT_EQ(conf.Find("spark.sql.ansi.enabled"), "FALSE");
  EXPECT_FALSE(conf.ansi_enabled());
  EXPECT_EQ(conf.store_assignment_policy(), StoreAssignmentPolicy::kStrict);
  EXPECT_EQ(conf.session_time_zone(), "America/Los_Angeles");
  EXPECT_TRUE(conf.timestamp_is_ntz());
  EXPECT_EQ(conf.multi_match_rule(), MultiMatchRule::kOn);
  EXPECT_EQ(conf.txn_version(), 12);
}

TEST(SessionConfTest, UnknownKeysAreStored) {
  SessionConf conf;
  EXPECT_EQ(conf.Find("spark.my.own"), std::nullopt);
  EXPECT_EQ(conf.Get("spark.my.own").error().error_class(), ErrorClass::SQL_CONF_NOT_FOUND);
  ASSERT_TRUE(conf.Set("spark.my.own", "1").ok());
  EXPECT_EQ(*conf.Get("spark.my.own"), "1");
  EXPECT_TRUE(conf.IsSet("spark.my.own"));
  ASSERT_TRUE(conf.Unset("spark.my.own").ok());
  EXPECT_EQ(conf.Find("spark.my.own"), std::nullopt);
  EXPECT_TRUE(conf.Unset("spark.my.own").ok());
}

TEST(SessionConfTest, RefusedKeysAndValuesChangeNothing) {
  SessionConf conf;
  EXPECT_EQ(SetFailsWith(&conf, "spark.sql.warehouse.dir", "/x"),
            ErrorClass::CANNOT_MODIFY_STATIC_CONFIG);
  EXPECT_EQ(SetFailsWith(&conf, "spark.executor.memory", "1g"), ErrorClass::CANNOT_MODIFY_CONFIG);
  EXPECT_EQ(SetFailsWith(&conf, "spark.sql.session.timeZone", "Nowhere"),
            ErrorClass::INVALID_CONF_VALUE);
  EXPECT_TRUE(conf.explicit_values().empty());
  EXPECT_EQ(conf.Unset("spark.sql.extensions").error().error_class(),
            ErrorClass::CANNOT_MODIFY_STATIC_CONFIG);
  EXPECT_EQ(conf.Set("spark.sql.extensions", "x").error().parameters().at("key"),
            "\"spark.sql.extensions\"");
}

TEST(SessionConfTest, ResetGoesBackToTheStart) {
  auto conf = SessionConf::WithInitial(
      {{"spark.sql.warehouse.dir", "/data"}, {"spark.sql.ansi.enabled", "false"}});
  ASSERT_TRUE(conf.ok());
  EXPECT_EQ(conf->warehouse_dir(), "/data");
  ASSERT_TRUE(conf->Set("spark.sql.ansi.enabled", "true").ok());
  ASSERT_TRUE(conf->Set("spark.sql.caseSensitive", "true").ok());
  ASSERT_TRUE(conf->Unset("spark.sql.ansi.enabled").ok());
  EXPECT_FALSE(conf->ansi_enabled());
  EXPECT_TRUE(conf->case_sensitive());
  conf->Reset();
  EXPECT_FALSE(conf->case_sensitive());
  EXPECT_EQ(conf->warehouse_dir(), "/data");
}

TEST(SessionConfTest, InitialValuesAreChecked) {
  EXPECT_FALSE(SessionConf::WithInitial({{"spark.sql.ansi.enabled", "x"}}).ok());
}

TEST(SessionConfTest, FindsByPrefix) {
  SessionConf conf;
  ASSERT_TRUE(conf.Set("spark.databricks.delta.properties.defaults.appendOnly", "true").ok());
  ASSERT_TRUE(conf.Set("spark.databricks.delta.properties.defaultsX", "1").ok());
  EXPECT_THAT(conf.WithPrefix("spark.databricks.delta.properties.defaults."),
              ElementsAre(Pair("appendOnly", "true")));
}

TEST(SessionConfTest, OnlyKnownSessionKeysAreModifiable) {
  const SessionConf conf;
  EXPECT_TRUE(conf.IsModifiable("spark.sql.ansi.enabled"));
  EXPECT_FALSE(conf.IsModifiable("spark.sql.warehouse.dir"));
  EXPECT_FALSE(conf.IsModifiable("spark.my.own"));
}

}  // namespace
}  // namespace merganser
