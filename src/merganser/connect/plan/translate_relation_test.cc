#include <gtest/gtest.h>

#include "merganser/connect/plan/plan_from_text_for_test.h"

namespace merganser::connect {
namespace {

std::string Over(const std::string& node, const std::string& arguments) {
  return RelationOf(node + " { input { " + ReadText("t") + " } " + arguments + " }");
}

const char* const kColumn = "{ unresolved_attribute { unparsed_identifier: 'a' } }";

TEST(TranslateRelationTest, Sources) {
  EXPECT_EQ(RelationOf(ReadText("main.silver.orders")), "main.silver.orders");
  EXPECT_EQ(RelationOf("read { named_table { unparsed_identifier: 't' options { key: 'versionAsOf' "
                       "value: '0' } } }"),
            "t versionAsOf=0");
  EXPECT_EQ(RelationOf("read { data_source { format: 'csv' schema: 'a INT' paths: '/x' } }"),
            "csv:/x");
  EXPECT_EQ(RelationOf("range { end: 3 step: 1 }"), "range(0:bigint, 3:bigint, 1:bigint)");
  EXPECT_EQ(RelationOf("local_relation { schema: 'a INT' }"), "local");
  EXPECT_EQ(RelationOf("local_relation {}"),
            "CONNECT_INVALID_PLAN.SCHEMA_REQUIRED_FOR_LOCAL_RELATION");
  EXPECT_EQ(RelationOf("cached_remote_relation { relation_id: 'q' }"), "remote_q");
  EXPECT_EQ(RelationOf("sql { query: 'SELECT 1' }"), "project(1; ())");
}

TEST(TranslateRelationTest, QueriesOverAnInput) {
  EXPECT_EQ(Over("project", std::string("expressions ") + kColumn), "project(a; t)");
  EXPECT_EQ(Over("filter", "condition { expression_string { expression: 'n = 1' } }"),
            "filter((n = 1); t)");
  EXPECT_EQ(Over("limit", "limit: 2"), "limit(2,-; t)");
  EXPECT_EQ(Over("offset", "offset: 2"), "limit(-,2; t)");
  EXPECT_EQ(Over("subquery_alias", "alias: 's'"), "as(s; t)");
  EXPECT_EQ(Over("aggregate", std::string("group_type: GROUP_TYPE_GROUPBY grouping_expressions ") +
                                  kColumn +
                                  " aggregate_expressions { unresolved_function { function_name: "
                                  "'count' arguments { literal { integer: 1 } } } }"),
            "aggregate(a | a, count(1); t)");
  EXPECT_EQ(Over("sort", std::string("order { child ") + kColumn +
                             " direction: SORT_DIRECTION_ASCENDING null_ordering: "
                             "SORT_NULLS_FIRST } is_global: true"),
            "sort(a NULLS FIRST; t)");
  EXPECT_EQ(Over("repartition", "num_partitions: 1"), "hint(repartition; t)");
}

TEST(TranslateRelationTest, JoinsAndSets) {
  const std::string both = "left { " + ReadText("t") + " } right { " + ReadText("u") + " } ";
  EXPECT_EQ(RelationOf("join { " + both + "join_type: JOIN_TYPE_LEFT_OUTER using_columns: 'id' }"),
            "left(t, u USING id)");
  EXPECT_EQ(RelationOf("join { " + both + "}"), "CONNECT_INVALID_PLAN.INVALID_ENUM");
  const std::string inputs =
      "left_input { " + ReadText("t") + " } right_input { " + ReadText("u") + " } ";
  EXPECT_EQ(RelationOf("set_op { " + inputs + "set_op_type: SET_OP_TYPE_UNION is_all: true }"),
            "union all(t, u)");
  EXPECT_EQ(RelationOf("set_op { " + inputs + "set_op_type: SET_OP_TYPE_EXCEPT by_name: true }"),
            "CONNECT_INVALID_PLAN.EXCEPT_DOES_NOT_SUPPORT_UNION_BY_NAME");
}

TEST(TranslateRelationTest, PlanIdsStayWithTheirRelations) {
  TranslationContext context = TestContext();
  const auto relation = TranslateRelation(
      FromText<spark::connect::Relation>("common { plan_id: 7 } " + ReadText("t")), context);
  ASSERT_TRUE(relation.ok());
  EXPECT_EQ((*relation)->plan_id, 7);
}

TEST(TranslateRelationTest, ACommandInsideOfAQueryGivesItsRows) {
  TranslationContext context = TestContext();
  const auto relation =
      TranslateRelation(FromText<spark::connect::Relation>(
                            "limit { input { sql { query: 'SHOW TABLES' } } limit: 1 }"),
                        context);
  ASSERT_TRUE(relation.ok());
  const auto* limit = (*relation)->As<plan::Limit>();
  ASSERT_NE(limit, nullptr);
  const auto* rows = limit->child->As<plan::CommandRows>();
  ASSERT_NE(rows, nullptr);
  EXPECT_NE(rows->command->As<plan::Show>(), nullptr);
}

TEST(TranslateRelationTest, ShowingIsACommand) {
  const auto statement = StatementOf(
      "show_string { input { sql { query: 'SELECT nope' } } "
      "num_rows: 5 truncate: 0 vertical: true }");
  ASSERT_TRUE(statement.ok());
  const auto* show = statement->As<plan::ShowRows>();
  ASSERT_NE(show, nullptr);
  EXPECT_EQ(show->num_rows, 5);
  EXPECT_EQ(show->truncate, 0);
  EXPECT_TRUE(show->vertical);
}

TEST(TranslateRelationTest, SqlTakesArgumentsAndFrames) {
  const auto statement = StatementOf(
      "sql { query: 'SELECT :a, ?' named_arguments { key: 'a' value { literal { integer: 1 } } } "
      "pos_args { string: 'x' } }");
  ASSERT_TRUE(statement.ok());
  EXPECT_EQ(PlanText(statement->parameters.named.at("a")), "1");
  ASSERT_EQ(statement->parameters.positional.size(), 1);
  EXPECT_EQ(RelationOf("with_relations { root { sql { query: 'SELECT * FROM v' } } references { "
                       "subquery_alias { input { " +
                       ReadText("t") + " } alias: 'v' } } }"),
            "with(v=t; project(*; v))");
}

TEST(TranslateRelationTest, WhatThereIsNotIsRefusedByName) {
  EXPECT_EQ(RelationOf("group_map {}"), "CONNECT_INVALID_PLAN.INVALID_ONE_OF_FIELD_NOT_SUPPORTED");
  EXPECT_EQ(RelationOf(""), "CONNECT_INVALID_PLAN.INVALID_ONE_OF_FIELD_NOT_SET");
  EXPECT_EQ(RelationOf("extension { type_url: 'type.googleapis.com/other.Message' }"),
            "CONNECT_INVALID_PLAN.NO_HANDLER_FOR_EXTENSION");
}

}  // namespace
}  // namespace merganser::connect
