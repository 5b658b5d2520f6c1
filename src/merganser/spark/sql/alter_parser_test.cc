#include "merganser/spark/sql/alter_parser.h"

#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

using Path = std::vector<std::string>;

/// The action of `ALTER TABLE t action`.
template <typename T>
T Action(const std::string& action) {
  const auto parsed = ParseStatement("ALTER TABLE db.t " + action);
  if (!parsed.ok()) {
    ADD_FAILURE() << parsed.error().message();
    return {};
  }
  const auto* alter = parsed->As<plan::AlterTable>();
  const auto* found = alter == nullptr ? nullptr : std::get_if<T>(&alter->action);
  if (found == nullptr) {
    ADD_FAILURE() << action;
    return {};
  }
  EXPECT_EQ(PlanText(alter->name), "db.t");
  return *found;
}

TEST(AlterParserTest, AddsColumns) {
  const auto add = Action<plan::AlterAddColumns>(
      "ADD COLUMNS (a INT COMMENT 'x' FIRST, s.b STRING NOT NULL AFTER c, d INT DEFAULT 5)");
  ASSERT_EQ(add.columns.size(), 3U);
  EXPECT_EQ(add.columns[0].comment, "x");
  EXPECT_EQ(add.columns[0].position_after, "");
  EXPECT_EQ(add.columns[1].name, (Path{"s", "b"}));
  EXPECT_EQ(add.columns[1].position_after, "c");
  EXPECT_FALSE(add.columns[1].nullable);
  EXPECT_EQ(add.columns[2].default_value->text, "5");
  EXPECT_FALSE(add.columns[2].position_after.has_value());
  EXPECT_EQ(Action<plan::AlterAddColumns>("ADD COLUMN a INT, b INT").columns.size(), 2U);
  EXPECT_EQ(StatementError("ALTER TABLE t ADD COLUMN a INT FIRST FIRST"),
            "ALTER_TABLE_COLUMN_DESCRIPTOR_DUPLICATE");
}

TEST(AlterParserTest, DropsAndRenames) {
  EXPECT_EQ(Action<plan::AlterDropColumns>("DROP COLUMNS IF EXISTS (a, b.c)").columns,
            (std::vector<Path>{{"a"}, {"b", "c"}}));
  EXPECT_EQ(Action<plan::AlterDropColumns>("DROP COLUMN a").columns, (std::vector<Path>{{"a"}}));
  const auto rename = Action<plan::AlterRenameColumn>("RENAME COLUMN a.b TO c");
  EXPECT_EQ(rename.column, (Path{"a", "b"}));
  EXPECT_EQ(rename.new_name, "c");
  EXPECT_EQ(PlanText(Action<plan::AlterRenameTable>("RENAME TO db.u").new_name), "db.u");
}

TEST(AlterParserTest, ChangesColumns) {
  using Change = plan::AlterChangeColumn;
  EXPECT_EQ(Action<Change>("ALTER COLUMN a TYPE BIGINT").type, DataType::Long());
  EXPECT_EQ(Action<Change>("CHANGE a COMMENT 'x'").comment, "x");
  EXPECT_EQ(Action<Change>("ALTER COLUMN a SET NOT NULL").nullable, false);
  EXPECT_EQ(Action<Change>("ALTER COLUMN a DROP NOT NULL").nullable, true);
  EXPECT_EQ(Action<Change>("ALTER COLUMN s.a AFTER b").position_after, "b");
  EXPECT_EQ(Action<Change>("ALTER COLUMN a SET DEFAULT 1 + 1").default_value->text, "1 + 1");
  EXPECT_TRUE(Action<Change>("ALTER COLUMN a DROP DEFAULT").drop_default);
  EXPECT_TRUE(Action<Change>("ALTER COLUMN a SYNC IDENTITY").sync_identity);
  const auto hive = Action<Change>("CHANGE COLUMN a b BIGINT COMMENT 'x' FIRST");
  EXPECT_EQ(hive.new_name, "b");
  EXPECT_EQ(hive.type, DataType::Long());
  EXPECT_EQ(hive.comment, "x");
  EXPECT_EQ(hive.position_after, "");
  EXPECT_FALSE(Action<Change>("CHANGE COLUMN a a BIGINT").new_name.has_value());
  EXPECT_EQ(
      Action<plan::AlterChangeColumns>("ALTER COLUMN a TYPE BIGINT, b COMMENT 'x'").columns.size(),
      2U);
  EXPECT_EQ(StatementError("ALTER TABLE t ALTER COLUMN a"), "_LEGACY_ERROR_TEMP_0035");
}

TEST(AlterParserTest, SetsPropertiesAndConstraints) {
  EXPECT_EQ(Action<plan::AlterSetProperties>("SET TBLPROPERTIES ('a' = 'b')").properties.at("a"),
            "b");
  const auto unset = Action<plan::AlterUnsetProperties>("UNSET TBLPROPERTIES IF EXISTS ('a', b.c)");
  EXPECT_EQ(unset.keys, (Path{"a", "b.c"}));
  EXPECT_TRUE(unset.if_exists);
  const auto add = Action<plan::AlterAddConstraint>("ADD CONSTRAINT pos CHECK (a.b>0 AND f(c))");
  EXPECT_EQ(add.constraint.name, "pos");
  EXPECT_EQ(add.constraint.check.text, "a . b > 0 AND f ( c )");
  EXPECT_TRUE(Action<plan::AlterDropConstraint>("DROP CONSTRAINT IF EXISTS pos").if_exists);
  const auto feature =
      Action<plan::AlterDropFeature>("DROP FEATURE deletionVectors TRUNCATE HISTORY");
  EXPECT_EQ(feature.feature, "deletionVectors");
  EXPECT_TRUE(feature.truncate_history);
  EXPECT_TRUE(Action<plan::AlterClusterBy>("CLUSTER BY NONE").columns.empty());
  EXPECT_EQ(Action<plan::AlterClusterBy>("CLUSTER BY (a, b)").columns.size(), 2U);
  EXPECT_EQ(Action<plan::AlterSetLocation>("SET LOCATION '/x'").location, "/x");
  EXPECT_EQ(Action<plan::AlterReplaceColumns>("REPLACE COLUMNS (a INT, b STRING)").columns.size(),
            2U);
}

TEST(AlterParserTest, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(StatementError("ALTER TABLE t CONCATENATE"), "INVALID_STATEMENT_OR_CLAUSE");
  EXPECT_EQ(StatementError("ALTER TABLE t FOO"), "PARSE_SYNTAX_ERROR");
}

}  // namespace
}  // namespace merganser
