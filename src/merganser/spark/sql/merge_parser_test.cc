#include "merganser/spark/sql/merge_parser.h"

#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

plan::MergeInto Merge(const std::string& sql) {
  const auto parsed = ParseStatement(sql);
  if (!parsed.ok()) {
    ADD_FAILURE() << parsed.error().message();
    return {};
  }
  const auto* merge = parsed->As<plan::MergeInto>();
  return merge == nullptr ? plan::MergeInto{} : *merge;
}

std::string Assignments(const plan::MergeClause& clause) {
  std::string out;
  for (const plan::Assignment& assignment : clause.assignments) {
    out += (out.empty() ? "" : ", ") + PlanText(assignment.key) + "=" + PlanText(assignment.value);
  }
  return out;
}

TEST(MergeParserTest, ReadsTargetSourceAndCondition) {
  const auto merge = Merge(
      "MERGE INTO db.t AS t USING (SELECT 1 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE;");
  EXPECT_EQ(PlanText(merge.target), "as(t; db.t)");
  EXPECT_EQ(PlanText(merge.source), "as(s; project(1 AS id; ()))");
  EXPECT_EQ(PlanText(merge.condition), "(t.id = s.id)");
  ASSERT_EQ(merge.matched.size(), 1U);
  EXPECT_EQ(merge.matched[0].action, plan::MergeActionKind::kDelete);
  EXPECT_FALSE(merge.with_schema_evolution);
  EXPECT_FALSE(merge.dry_run);
  EXPECT_FALSE(merge.from_builder);
}

TEST(MergeParserTest, ReadsEveryAction) {
  const auto merge = Merge(
      "MERGE WITH SCHEMA EVOLUTION INTO t USING s ON a = b\n"
      "WHEN MATCHED AND x THEN UPDATE SET t.a = s.a, b.c = DEFAULT\n"
      "WHEN MATCHED THEN UPDATE SET * EXCEPT (c, d.e)\n"
      "WHEN NOT MATCHED BY TARGET AND y THEN INSERT (a, t.b) VALUES (s.a, DEFAULT)\n"
      "WHEN NOT MATCHED THEN INSERT *\n"
      "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET a = 1");
  EXPECT_TRUE(merge.with_schema_evolution);
  ASSERT_EQ(merge.matched.size(), 2U);
  EXPECT_EQ(PlanText(merge.matched[0].condition), "x");
  EXPECT_EQ(merge.matched[0].action, plan::MergeActionKind::kUpdate);
  EXPECT_EQ(Assignments(merge.matched[0]), "t.a=s.a, b.c=DEFAULT");
  EXPECT_EQ(merge.matched[1].action, plan::MergeActionKind::kUpdateStar);
  EXPECT_EQ(merge.matched[1].except, (std::vector<std::vector<std::string>>{{"c"}, {"d", "e"}}));
  ASSERT_EQ(merge.not_matched.size(), 2U);
  EXPECT_EQ(merge.not_matched[0].action, plan::MergeActionKind::kInsert);
  EXPECT_EQ(Assignments(merge.not_matched[0]), "a=s.a, t.b=DEFAULT");
  EXPECT_EQ(merge.not_matched[1].action, plan::MergeActionKind::kInsertStar);
  ASSERT_EQ(merge.not_matched_by_source.size(), 1U);
  EXPECT_EQ(Assignments(merge.not_matched_by_source[0]), "a=1");
}

TEST(MergeParserTest, TakesClausesInAnyOrder) {
  const auto merge = Merge(
      "MERGE INTO t USING s ON true WHEN NOT MATCHED BY SOURCE AND c THEN DELETE WHEN NOT MATCHED "
      "THEN "
      "INSERT * "
      "WHEN MATCHED AND a THEN DELETE WHEN NOT MATCHED BY SOURCE AND b THEN DELETE");
  EXPECT_EQ(merge.matched.size(), 1U);
  EXPECT_EQ(merge.not_matched.size(), 1U);
  ASSERT_EQ(merge.not_matched_by_source.size(), 2U);
  EXPECT_EQ(PlanText(merge.not_matched_by_source[1].condition), "b");
}

TEST(MergeParserTest, ReadsCommonTablesAndDryRun) {
  const auto merge = Merge(
      "WITH c AS (SELECT 1) MERGE INTO delta.`/tmp/t` USING c ON true WHEN MATCHED THEN DELETE DRY "
      "RUN");
  ASSERT_EQ(merge.with.size(), 1U);
  EXPECT_EQ(merge.with[0].name, "c");
  EXPECT_TRUE(merge.dry_run);
  EXPECT_EQ(PlanText(merge.target), "delta./tmp/t");
}

TEST(MergeParserTest, TellsWhatIsWrong) {
  const std::string merge = "MERGE INTO t USING s ON true ";
  EXPECT_EQ(StatementError(merge), "MERGE_WITHOUT_WHEN");
  EXPECT_EQ(StatementError(merge + "WHEN MATCHED THEN DELETE WHEN MATCHED AND a THEN DELETE"),
            "NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION");
  EXPECT_EQ(StatementError(
                merge + "WHEN NOT MATCHED THEN INSERT * WHEN NOT MATCHED BY TARGET THEN INSERT *"),
            "NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION");
  EXPECT_EQ(
      StatementError(
          merge + "WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED BY SOURCE THEN DELETE"),
      "NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION");
  EXPECT_EQ(StatementError(merge + "WHEN NOT MATCHED THEN INSERT (a, b) VALUES (1)"),
            "MERGE_INSERT_VALUE_COUNT_MISMATCH");
  EXPECT_EQ(StatementError("MERGE INTO t x(a) USING s ON true WHEN MATCHED THEN DELETE"),
            "COLUMN_ALIASES_NOT_ALLOWED");
  EXPECT_EQ(StatementError("MERGE INTO t USING (VALUES (1)) s(a) ON true WHEN MATCHED THEN DELETE"),
            "COLUMN_ALIASES_NOT_ALLOWED");
  for (const std::string clause :
       {"WHEN MATCHED THEN INSERT *", "WHEN NOT MATCHED THEN DELETE",
        "WHEN NOT MATCHED BY SOURCE THEN UPDATE SET *", "WHEN NOT MATCHED BY SOURCE THEN INSERT *",
        "WHEN NOT MATCHED THEN INSERT * VALUES (1)", "WHEN MATCHED DELETE"}) {
    EXPECT_EQ(StatementError(merge + clause), "PARSE_SYNTAX_ERROR") << clause;
  }
  EXPECT_EQ(StatementError("MERGE INTO t USING VALUES (1) s ON true WHEN MATCHED THEN DELETE"),
            "PARSE_SYNTAX_ERROR");
}

}  // namespace
}  // namespace merganser
