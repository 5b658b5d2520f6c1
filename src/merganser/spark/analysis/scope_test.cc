#include "merganser/spark/analysis/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

ScopeColumn Column(ColumnId id, const std::string& name, std::vector<std::string> qualifier) {
  return {.column = {.id = id, .name = name, .type = DataType::Integer()},
          .qualifier = std::move(qualifier),
          .identity = id};
}

std::vector<ColumnId> Ids(const NameMatch& match) {
  std::vector<ColumnId> ids;
  for (const ScopeColumn* column : match.columns) ids.push_back(column->column.id);
  return ids;
}

TEST(ScopeTest, QualifiersMatchFromTheirLastPart) {
  const std::vector<std::string> table = {"spark_catalog", "default", "t"};
  EXPECT_TRUE(QualifierMatches(table, {"t"}, false));
  EXPECT_TRUE(QualifierMatches(table, {"Default", "T"}, false));
  EXPECT_TRUE(QualifierMatches(table, table, false));
  EXPECT_FALSE(QualifierMatches(table, {"T"}, true));
  EXPECT_FALSE(QualifierMatches(table, {"default"}, false));
  EXPECT_FALSE(QualifierMatches(table, {}, false));
  EXPECT_FALSE(QualifierMatches({}, {"t"}, false));
}

TEST(ScopeTest, QualifierAndColumnComeBeforeColumnAndField) {
  const Scope scope({Column(1, "x", {"y"}), Column(2, "y", {"x"})});
  const NameMatch match = MatchName(scope, {"x", "y"}, false);
  EXPECT_THAT(Ids(match), testing::ElementsAre(2));
  EXPECT_TRUE(match.fields.empty());
}

TEST(ScopeTest, PartsAfterTheColumnAreFields) {
  const Scope scope({Column(1, "s", {"t"})});
  const NameMatch match = MatchName(scope, {"T", "S", "f", "g"}, false);
  EXPECT_THAT(Ids(match), testing::ElementsAre(1));
  EXPECT_EQ(match.column_name, "S");
  EXPECT_THAT(match.fields, testing::ElementsAre("f", "g"));
}

TEST(ScopeTest, HiddenColumnsNeedAQualifier) {
  Scope scope({Column(1, "k", {"a"}), Column(2, "k", {"b"})});
  scope.columns()[1].hidden = true;
  EXPECT_THAT(Ids(MatchName(scope, {"k"}, false)), testing::ElementsAre(1));
  EXPECT_THAT(Ids(MatchName(scope, {"b", "k"}, false)), testing::ElementsAre(2));
}

TEST(ScopeTest, TheSameColumnTwiceIsNotAmbiguous) {
  Scope scope({Column(1, "a", {}), Column(2, "a", {})});
  EXPECT_EQ(MatchName(scope, {"a"}, false).columns.size(), 2U);
  scope.columns()[1].identity = 1;
  EXPECT_EQ(MatchName(scope, {"a"}, false).columns.size(), 1U);
}

TEST(ScopeTest, APlanMayStandInSeveralPlaces) {
  Scope left({Column(1, "a", {})});
  left.AddPlan(7);
  Scope right({Column(2, "a", {})});
  right.AddPlan(7);
  right.Deepen();
  EXPECT_EQ(left.FindPlans(7).size(), 1U);
  EXPECT_TRUE(left.FindPlans(8).empty());
  const Scope joined = Scope::Join(left, right);
  const auto places = joined.FindPlans(7);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].depth, 0);
  EXPECT_EQ(places[1].depth, 1);
}

}  // namespace
}  // namespace merganser
