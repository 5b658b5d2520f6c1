#include "merganser/spark/analysis/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

using testing::ElementsAre;

ScopeColumn Column(const std::string& name, std::vector<std::string> qualifier) {
  static ColumnId next = 0;
  ++next;
  return {.column = {.id = next, .name = name, .type = DataType::Integer()},
          .qualifier = std::move(qualifier),
          .identity = next};
}

TEST(SuggestionTest, EditDistanceCountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("same", "same"), 0U);
}

TEST(SuggestionTest, TheNearestNameComesFirst) {
  EXPECT_THAT(
      SuggestNames({"prise"}, {Column("amount", {}), Column("price", {}), Column("prices", {})}),
      ElementsAre("`price`", "`prices`", "`amount`"));
}

TEST(SuggestionTest, AQualifierThatAllShareIsLeftOut) {
  const std::vector<std::string> table = {"spark_catalog", "default", "t"};
  EXPECT_THAT(SuggestNames({"x"}, {Column("b", table), Column("a", table)}),
              ElementsAre("`a`", "`b`"));
  EXPECT_THAT(SuggestNames({"t", "x"}, {Column("b", table), Column("a", table)}),
              ElementsAre("`t`.`a`", "`t`.`b`"));
}

TEST(SuggestionTest, DifferentTablesOfOneSchemaKeepTheirNames) {
  EXPECT_THAT(SuggestNames({"x"}, {Column("a", {"c", "s", "t"}), Column("a", {"c", "s", "u"})}),
              ElementsAre("`t`.`a`", "`u`.`a`"));
  EXPECT_THAT(SuggestNames({"x"}, {Column("col", {"x"}), Column("a", {"c", "s", "t"})}),
              ElementsAre("`x`.`col`", "`c`.`s`.`t`.`a`"));
}

TEST(SuggestionTest, ProposalsStopAtFive) {
  EXPECT_EQ(Proposal({"`a`", "`b`", "`c`", "`d`", "`e`", "`f`"}), "`a`, `b`, `c`, `d`, `e`");
  EXPECT_EQ(Proposal({}), "");
}

}  // namespace
}  // namespace merganser
