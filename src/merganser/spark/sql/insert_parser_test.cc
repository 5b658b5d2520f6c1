#include "merganser/spark/sql/insert_parser.h"

#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

template <typename T>
T InsertCommand(const std::string& sql) {
  const auto parsed = ParseStatement(sql);
  if (!parsed.ok()) {
    ADD_FAILURE() << parsed.error().message();
    return {};
  }
  const auto* command = parsed->As<T>();
  if (command == nullptr) {
    ADD_FAILURE() << sql;
    return {};
  }
  return *command;
}

plan::InsertInto Insert(const std::string& sql) { return InsertCommand<plan::InsertInto>(sql); }

TEST(InsertParserTest, ReadsTargetsAndQueries) {
  EXPECT_EQ(PlanText(Insert("INSERT INTO t VALUES (1, 'a')").query), "values (1, 'a')");
  EXPECT_EQ(PlanText(Insert("INSERT INTO TABLE t SELECT * FROM s").query), "project(*; s)");
  EXPECT_EQ(PlanText(Insert("INSERT INTO t TABLE s").query), "s");
  EXPECT_EQ(PlanText(Insert("INSERT INTO t (SELECT 1)").query), "project(1; ())");
  EXPECT_EQ(PlanText(Insert("WITH c AS (SELECT 1) INSERT INTO t TABLE c").query),
            "with(c=project(1; ()); c)");
  EXPECT_EQ(PlanText(Insert("FROM s INSERT INTO t SELECT a WHERE b").query),
            "project(a; filter(b; s))");
  EXPECT_EQ(Insert("INSERT INTO delta.`/tmp/t` VALUES (1)").target.parts,
            (std::vector<std::string>{"delta", "/tmp/t"}));
  EXPECT_TRUE(Insert("INSERT OVERWRITE t SELECT 1").overwrite);
}

TEST(InsertParserTest, ReadsColumnsAndPartitions) {
  const auto insert =
      Insert("INSERT OVERWRITE TABLE t PARTITION (p = 1, q) IF NOT EXISTS (a, b) VALUES (1, 2)");
  ASSERT_EQ(insert.partition.size(), 2U);
  EXPECT_EQ(insert.partition[0].first, "p");
  EXPECT_EQ(PlanText(insert.partition[0].second), "1");
  EXPECT_EQ(insert.partition[1].second, nullptr);
  EXPECT_TRUE(insert.if_not_exists);
  ASSERT_EQ(insert.columns.size(), 2U);
  EXPECT_EQ(PlanText(insert.columns[1]), "b");
}

TEST(InsertParserTest, ReadsByNameEvolutionReplaceAndOptions) {
  EXPECT_TRUE(Insert("INSERT INTO t BY NAME SELECT 1 AS a").by_name);
  EXPECT_TRUE(Insert("INSERT WITH SCHEMA EVOLUTION INTO t SELECT 1 AS a").with_schema_evolution);
  EXPECT_EQ(PlanText(Insert("INSERT INTO t REPLACE WHERE a > 1 SELECT 2").replace_where),
            "(a > 1)");
  EXPECT_EQ(Insert("INSERT INTO t AS x REPLACE USING (a, b) SELECT 1, 2").replace_using,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Insert("INSERT INTO t WITH ('k' = 'v') VALUES (1)").options.at("k"), "v");
  EXPECT_EQ(StatementError("INSERT INTO t REPLACE ON a = b SELECT 1"),
            "INSERT_REPLACE_ON_NOT_ENABLED");
}

TEST(InsertParserTest, TakesDefaultForAValueInItsOwnRowsOnly) {
  EXPECT_EQ(PlanText(Insert("INSERT INTO t VALUES (1, DEFAULT), (DEFAULT, 2)").query),
            "values (1, DEFAULT) (DEFAULT, 2)");
  const auto insert =
      Insert("INSERT INTO t SELECT DEFAULT, default + 1 FROM (SELECT default FROM s) x");
  const auto* project = insert.query->As<plan::Project>();
  ASSERT_NE(project, nullptr);
  EXPECT_NE(project->expressions[0]->As<plan::DefaultValue>(), nullptr);
  EXPECT_NE(project->child->As<plan::SubqueryAlias>()
                ->child->As<plan::Project>()
                ->expressions[0]
                ->As<plan::Attribute>(),
            nullptr);
  EXPECT_EQ(QueryPlan("VALUES (default)"), "values (default)");
}

TEST(InsertParserTest, ReadsUpdatesAndDeletes) {
  const auto update = InsertCommand<plan::Update>("UPDATE t AS x SET x.a = 1, b = DEFAULT WHERE c");
  EXPECT_EQ(update.alias, "x");
  ASSERT_EQ(update.assignments.size(), 2U);
  EXPECT_EQ(PlanText(update.assignments[0].key), "x.a");
  EXPECT_EQ(PlanText(update.assignments[1].value), "DEFAULT");
  EXPECT_EQ(PlanText(update.condition), "c");
  const auto remove =
      InsertCommand<plan::Delete>("WITH c AS (SELECT 1) DELETE FROM t x WHERE a IN (TABLE c)");
  EXPECT_EQ(remove.alias, "x");
  EXPECT_EQ(remove.with.size(), 1U);
  EXPECT_EQ(PlanText(remove.condition), "a in {c}");
  EXPECT_EQ(InsertCommand<plan::Delete>("DELETE FROM t").condition, nullptr);
  EXPECT_EQ(StatementError("DELETE FROM t x(a)"), "COLUMN_ALIASES_NOT_ALLOWED");
  EXPECT_EQ(StatementError("UPDATE t x(a) SET a = 1"), "COLUMN_ALIASES_NOT_ALLOWED");
  EXPECT_EQ(StatementError("UPDATE t SET a 1"), "PARSE_SYNTAX_ERROR");
}

}  // namespace
}  // namespace merganser
