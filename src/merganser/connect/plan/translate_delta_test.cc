#include <gtest/gtest.h>

#include "merganser/connect/plan/plan_from_text_for_test.h"

namespace merganser::connect {
namespace {

/// A relation of delta-spark's as the client packs it.
spark::connect::Relation Packed(const std::string& text) {
  spark::connect::Relation relation;
  relation.mutable_extension()->PackFrom(FromText<delta::connect::DeltaRelation>(text));
  return relation;
}

Result<plan::Statement> RelationStatement(const std::string& text) {
  TranslationContext context = TestContext();
  return TranslateStatement(Packed(text), context);
}

Result<plan::Statement> DeltaCommandOf(const std::string& text) {
  TranslationContext context = TestContext();
  spark::connect::Command command;
  command.mutable_extension()->PackFrom(FromText<delta::connect::DeltaCommand>(text));
  return TranslateCommand(command, context);
}

TEST(TranslateDeltaTest, ScanReadsATableOrAPath) {
  TranslationContext context = TestContext();
  const auto by_name =
      TranslateRelation(Packed("scan { table { table_or_view_name: 'main.s.t' } }"), context);
  ASSERT_TRUE(by_name.ok());
  EXPECT_EQ(PlanText(*by_name), "main.s.t");
  const auto by_path =
      TranslateRelation(Packed("scan { table { path { path: '/d/t' } } }"), context);
  ASSERT_TRUE(by_path.ok());
  EXPECT_EQ(PlanText(*by_path), "delta./d/t");
}

TEST(TranslateDeltaTest, MergeKeepsTheOrderOfItsClauses) {
  delta::connect::DeltaRelation message;
  auto* merge = message.mutable_merge_into_table();
  auto* target = merge->mutable_target()->mutable_subquery_alias();
  target->set_alias("t");
  *target->mutable_input() = Packed("scan { table { table_or_view_name: 'orders' } }");
  *merge->mutable_source() = FromText<spark::connect::Relation>(
      "subquery_alias { alias: 's' input { " + ReadText("changes") + " } }");
  merge->mutable_condition()->mutable_expression_string()->set_expression("t.id = s.id");
  auto* remove = merge->add_matched_actions();
  remove->mutable_condition()->mutable_expression_string()->set_expression("s.op = 'D'");
  remove->mutable_delete_action();
  auto* update = merge->add_matched_actions()->mutable_update_action()->add_assignments();
  update->mutable_field()->mutable_unresolved_attribute()->set_unparsed_identifier("t.v");
  update->mutable_value()->mutable_expression_string()->set_expression("s.v + 1");
  merge->add_not_matched_actions()->mutable_insert_star_action();
  merge->set_with_schema_evolution(true);

  spark::connect::Relation root;
  root.mutable_extension()->PackFrom(message);
  TranslationContext context = TestContext();
  const auto statement = TranslateStatement(root, context);
  ASSERT_TRUE(statement.ok()) << statement.error().message();
  const auto* translated = statement->As<plan::MergeInto>();
  ASSERT_NE(translated, nullptr);
  EXPECT_TRUE(translated->from_builder);
  EXPECT_TRUE(translated->with_schema_evolution);
  EXPECT_EQ(PlanText(translated->target), "as(t; orders)");
  EXPECT_EQ(PlanText(translated->source), "as(s; changes)");
  ASSERT_EQ(translated->matched.size(), 2);
  EXPECT_EQ(translated->matched[0].action, plan::MergeActionKind::kDelete);
  EXPECT_EQ(PlanText(translated->matched[0].condition), "(s.op = 'D')");
  ASSERT_EQ(translated->matched[1].assignments.size(), 1);
  EXPECT_EQ(translated->matched[1].assignments[0].key.parts, (std::vector<std::string>{"t", "v"}));
  EXPECT_EQ(translated->not_matched[0].action, plan::MergeActionKind::kInsertStar);
}

TEST(TranslateDeltaTest, QuestionsAndMaintenance) {
  const auto restore =
      RelationStatement("restore_table { table { table_or_view_name: 't' } version: 0 }");
  ASSERT_TRUE(restore.ok());
  EXPECT_EQ(PlanText(restore->As<plan::Restore>()->to.version), "0:bigint");
  const auto optimize = RelationStatement(
      "optimize_table { table { table_or_view_name: 't' } partition_filters: 'p = 1' "
      "partition_filters: 'q = 2' zorder_columns: 's.a' }");
  ASSERT_TRUE(optimize.ok());
  EXPECT_EQ(PlanText(optimize->As<plan::Optimize>()->condition), "and((p = 1), (q = 2))");
  EXPECT_EQ(optimize->As<plan::Optimize>()->zorder_by[0], (std::vector<std::string>{"s", "a"}));
  const auto convert = RelationStatement(
      "convert_to_delta { identifier: 'parquet.`/x`' partition_schema_string: 'p INT' }");
  ASSERT_TRUE(convert.ok());
  EXPECT_EQ(convert->As<plan::ConvertToDelta>()->partition_by.size(), 1);
  const auto is_delta = RelationStatement("is_delta_table { path: '/x' }");
  ASSERT_TRUE(is_delta.ok());
  EXPECT_EQ(is_delta->As<plan::IsDeltaTable>()->path, "/x");
}

TEST(TranslateDeltaTest, Commands) {
  const auto vacuum =
      DeltaCommandOf("vacuum_table { table { path { path: '/x' } } retention_hours: 1.5 }");
  ASSERT_TRUE(vacuum.ok());
  EXPECT_EQ(vacuum->As<plan::Vacuum>()->retain_hours, 1.5);
  const auto clone = DeltaCommandOf(
      "clone_table { table { table_or_view_name: 't' } target: '/y' version: 3 is_shallow: true }");
  ASSERT_TRUE(clone.ok());
  EXPECT_EQ(clone->As<plan::CloneTable>()->name.parts, (std::vector<std::string>{"delta", "/y"}));
  const auto feature = DeltaCommandOf(
      "add_feature_support { table { table_or_view_name: 't' } feature_name: 'deletionVectors' }");
  ASSERT_TRUE(feature.ok());
  const auto& set = std::get<plan::AlterSetProperties>(feature->As<plan::AlterTable>()->action);
  EXPECT_EQ(set.properties, (plan::Options{{"delta.feature.deletionVectors", "supported"}}));
  const auto create = DeltaCommandOf(
      "create_delta_table { mode: MODE_CREATE_OR_REPLACE location: '/z' columns { name: 'a' "
      "data_type { unparsed { data_type_string: 'BIGINT' } } identity_info { start: 1 step: 2 } } "
      "partitioning_columns: 'a' }");
  ASSERT_TRUE(create.ok());
  const auto* table = create->As<plan::CreateTable>();
  EXPECT_TRUE(table->replace && table->create);
  EXPECT_FALSE(table->columns[0].nullable);
  EXPECT_EQ(table->columns[0].identity->step, 2);
  EXPECT_EQ(DeltaCommandOf("create_delta_table { mode: MODE_CREATE }").error().full_name(),
            "DELTA_CREATE_TABLE_MISSING_TABLE_NAME_OR_LOCATION");
}

}  // namespace
}  // namespace merganser::connect
