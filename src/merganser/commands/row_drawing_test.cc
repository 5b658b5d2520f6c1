#include "merganser/commands/row_drawing.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(RowDrawingTest, CellsAreCutAndHeadersAreNot) {
  EXPECT_EQ(DrawTable({.names = {"a long header", "b"},
                       .rows = {{"abcdefgh", "1"}},
                       .truncate = 6,
                       .num_rows = 20}),
            "+-------------+---+\n"
            "|a long header|  b|\n"
            "+-------------+---+\n"
            "|       abc...|  1|\n"
            "+-------------+---+\n");
}

TEST(RowDrawingTest, WithoutALimitCellsStandLeft) {
  EXPECT_EQ(DrawTable({.names = {"v"}, .rows = {{"a\tb"}, {"\xe4\xb8\xad"}}, .truncate = 0}),
            "+----+\n|v   |\n+----+\n|a\\tb|\n|\xe4\xb8\xad  |\n+----+\n");
}

TEST(RowDrawingTest, MoreRowsAreAnnouncedWithoutALineBreak) {
  const DrawnRows one{.names = {"v"}, .rows = {{"1"}}, .num_rows = 1, .has_more = true};
  EXPECT_TRUE(DrawTable(one).ends_with("+---+\nonly showing top 1 row"));
  DrawnRows none{.names = {"v"}, .rows = {}, .num_rows = 0, .has_more = true};
  EXPECT_EQ(DrawTable(none), "+---+\n|  v|\n+---+\n+---+\nonly showing top 0 rows");
}

TEST(RowDrawingTest, FramesWithoutColumns) {
  EXPECT_EQ(DrawTable({.names = {}, .rows = {{}, {}}}), "++\n||\n++\n||\n||\n++\n");
}

TEST(RowDrawingTest, Vertically) {
  EXPECT_EQ(DrawVertically({.names = {"id", "name"}, .rows = {{"1", "Ana"}}}),
            "-RECORD 0---\n id   | 1   \n name | Ana \n");
  EXPECT_EQ(DrawVertically({.names = {"id"}, .rows = {}}), "(0 rows)");
}

TEST(RowDrawingTest, HtmlIsEscaped) {
  EXPECT_EQ(DrawHtml({.names = {"a<b"}, .rows = {{"\"x\" & 'y'"}}}),
            "<table border='1'>\n<tr><th>a&lt;b</th></tr>\n"
            "<tr><td>&quot;x&quot; &amp; 'y'</td></tr>\n</table>\n");
}

TEST(RowDrawingTest, HalfACharacterIsAQuestionMark) {
  EXPECT_EQ(DrawTable({.names = {"v"}, .rows = {{"a\xf0\x9f\x98\x80z"}}, .truncate = 2}),
            "+---+\n|  v|\n+---+\n| a?|\n+---+\n");
}

}  // namespace
}  // namespace merganser
