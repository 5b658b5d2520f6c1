#include <gtest/gtest.h>

#include "merganser/connect/plan/plan_from_text_for_test.h"

namespace merganser::connect {
namespace {

Result<plan::Statement> WriteOf(const std::string& arguments) {
  return CommandOf("write_operation { input { " + ReadText("t") + " } " + arguments + " }");
}

TEST(TranslateCommandTest, WritesToTablesAndPaths) {
  const auto table = WriteOf(
      "source: 'delta' table { table_name: 's.x' save_method: TABLE_SAVE_METHOD_SAVE_AS_TABLE } "
      "mode: SAVE_MODE_APPEND options { key: 'mergeSchema' value: 'true' } partitioning_columns: "
      "'p'");
  ASSERT_TRUE(table.ok());
  const auto* write = table->As<plan::Write>();
  ASSERT_NE(write, nullptr);
  EXPECT_EQ(write->table->parts, (std::vector<std::string>{"s", "x"}));
  EXPECT_EQ(write->mode, plan::SaveMode::kAppend);
  EXPECT_EQ(write->options.at("mergeSchema"), "true");
  EXPECT_FALSE(write->insert_into);

  const auto path = WriteOf("path: '/x'");
  ASSERT_TRUE(path.ok());
  EXPECT_EQ(path->As<plan::Write>()->path, "/x");
  EXPECT_EQ(path->As<plan::Write>()->mode, plan::SaveMode::kErrorIfExists);

  const auto insert =
      WriteOf("table { table_name: 'x' save_method: TABLE_SAVE_METHOD_INSERT_INTO }");
  ASSERT_TRUE(insert.ok());
  EXPECT_TRUE(insert->As<plan::Write>()->insert_into);
  EXPECT_EQ(insert->As<plan::Write>()->mode, plan::SaveMode::kAppend);
}

TEST(TranslateCommandTest, WriteToHasAConditionWhereItOverwrites) {
  const auto statement =
      CommandOf("write_operation_v2 { input { " + ReadText("t") +
                " } table_name: 'x' mode: MODE_OVERWRITE overwrite_condition { expression_string { "
                "expression: 'a > 1' } } partitioning_columns { unresolved_attribute { "
                "unparsed_identifier: 'p' } } }");
  ASSERT_TRUE(statement.ok());
  const auto* write = statement->As<plan::WriteTo>();
  EXPECT_EQ(write->mode, plan::WriteToMode::kOverwrite);
  EXPECT_EQ(PlanText(write->condition), "(a > 1)");
  EXPECT_EQ(write->partition_by, (std::vector<std::vector<std::string>>{{"p"}}));
}

TEST(TranslateCommandTest, MergeIntoOfAFrame) {
  const auto statement = CommandOf(
      "merge_into_table_command { target_table_name: 'x' source_table_plan { " + ReadText("t") +
      " } merge_condition { expression_string { expression: 'x.id = t.id' } } match_actions { "
      "merge_action { action_type: ACTION_TYPE_UPDATE_STAR } } not_matched_actions { merge_action "
      "{ action_type: ACTION_TYPE_INSERT assignments { key { unresolved_attribute { "
      "unparsed_identifier: 'id' } } value { literal { integer: 1 } } } } } }");
  ASSERT_TRUE(statement.ok()) << statement.error().message();
  const auto* merge = statement->As<plan::MergeInto>();
  EXPECT_FALSE(merge->from_builder);
  EXPECT_EQ(merge->matched[0].action, plan::MergeActionKind::kUpdateStar);
  EXPECT_EQ(PlanText(merge->not_matched[0].assignments[0].value), "1");
}

TEST(TranslateCommandTest, ViewsAndWhatBelongsToTheServer) {
  const auto view = CommandOf("create_dataframe_view { input { " + ReadText("t") +
                              " } name: 'v' replace: true }");
  ASSERT_TRUE(view.ok());
  EXPECT_TRUE(view->As<plan::CreateView>()->temporary);
  EXPECT_TRUE(view->As<plan::CreateView>()->replace);
  const auto other = CommandOf("register_function {}");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().parameters().at("name"), "register_function");
}

}  // namespace
}  // namespace merganser::connect
