#include <gtest/gtest.h>

#include "test/support/query_analysis.h"

namespace merganser {
namespace {

using test::QueryAnalysis;

TEST(TableBindingTest, TablesAreFoundByTheirNames) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("TABLE spark_catalog.default.u"), "k int, a int, z string");
  EXPECT_EQ(q.Failure("SELECT * FROM missing", "searchPath"),
            "TABLE_OR_VIEW_NOT_FOUND [`system`.`builtin`, `system`.`session`, "
            "`spark_catalog`.`default`] at 'missing'");
  EXPECT_EQ(q.Columns("SELECT * FROM nowhere.nodb.t"), "REQUIRES_SINGLE_PART_NAMESPACE");
  EXPECT_EQ(q.Columns("SELECT * FROM delta.`/no/such/folder`"), "PATH_NOT_FOUND");
}

TEST(TableBindingTest, EveryReferenceHasColumnsOfItsOwn) {
  QueryAnalysis q;
  const auto bound = q.Bind("SELECT * FROM u x, u y");
  ASSERT_TRUE(bound.ok());
  std::set<ColumnId> ids;
  for (const BoundColumn& column : (*bound)->columns) ids.insert(column.id);
  EXPECT_EQ(ids.size(), 6U);
}

TEST(TableBindingTest, AliasesRenameTablesAndColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT x.p, r FROM u AS x(p, q, r)"), "p int, r string");
  EXPECT_EQ(q.Columns("SELECT * FROM (SELECT 1, 2) AS x(p)"), "ASSIGNMENT_ARITY_MISMATCH");
  EXPECT_EQ(q.Columns("SELECT u.k FROM u x"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_EQ(q.Columns("SELECT u.k FROM (SELECT u.k FROM u)"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
}

TEST(TableBindingTest, VersionsOfTheTableAreChecked) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT * FROM u VERSION AS OF 0 AS x"), "k int, a int, z string");
  EXPECT_EQ(q.Failure("SELECT * FROM u VERSION AS OF 9", "latest"), "DELTA_VERSION_NOT_FOUND 0");
  EXPECT_EQ(q.Columns("SELECT * FROM u VERSION AS OF 'abc'"),
            "DELTA_TIME_TRAVEL_INVALID_BEGIN_VALUE");
  EXPECT_EQ(q.Columns("SELECT * FROM u TIMESTAMP AS OF rand()"),
            "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.NON_DETERMINISTIC");
  EXPECT_EQ(q.Columns("SELECT * FROM u TIMESTAMP AS OF array(1)"),
            "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT");
  EXPECT_EQ(q.Columns("SELECT * FROM u TIMESTAMP AS OF NULL"),
            "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT");
  EXPECT_EQ(q.Columns("SELECT * FROM u TIMESTAMP AS OF TIMESTAMP'2001-01-01 00:00:00'"),
            "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION");
  EXPECT_EQ(q.Failure("SELECT * FROM u TIMESTAMP AS OF TIMESTAMP'2999-01-01 00:00:00'",
                      "providedTimestamp"),
            "DELTA_TIMESTAMP_GREATER_THAN_COMMIT 2999-01-01 00:00:00.0");
}

TEST(TableBindingTest, TablesTellWhereTheirRowsAreOnlyIfAsked) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT _metadata.file_name, x._metadata.file_size FROM u x WHERE "
                      "_metadata.file_path <> ''"),
            "file_name string!, file_size bigint!");
  EXPECT_EQ(q.Columns("SELECT *, _metadata.file_size > 0 AS f FROM u"),
            "k int, a int, z string, f boolean!");
  EXPECT_EQ(q.Columns("SELECT u._metadata.row_id FROM u"), "FIELD_NOT_FOUND");
  const auto bound = q.Bind("SELECT * FROM u");
  ASSERT_TRUE(bound.ok());
  EXPECT_FALSE((*bound)->As<BoundProject>()->child->As<BoundScan>()->file_metadata);
}

TEST(TableBindingTest, ViewsAreBoundByThemselves) {
  QueryAnalysis q;
  q.AddView("v", "SELECT a AS x, b FROM t");
  EXPECT_EQ(q.Columns("SELECT v.x, b FROM v"), "x int, b int");
  EXPECT_EQ(q.Columns("WITH t AS (SELECT 1 AS a, 2 AS b) SELECT * FROM v"), "x int, b int");
  EXPECT_EQ(q.Columns("SELECT * FROM v VERSION AS OF 1"), "UNSUPPORTED_FEATURE.TIME_TRAVEL");
  q.AddView("broken", "SELECT nope FROM t");
  EXPECT_EQ(q.Failure("SELECT   *   FROM   broken"), "UNRESOLVED_COLUMN.WITH_SUGGESTION at 'nope'");
  q.AddView("endless", "SELECT * FROM endless");
  EXPECT_EQ(q.Columns("SELECT * FROM endless"), "VIEW_EXCEED_MAX_NESTED_DEPTH");
}

TEST(TableBindingTest, ExpressionsOfViewsHaveTheirPlaceInTheViewsText) {
  QueryAnalysis q;
  q.AddView("v", "SELECT a + 1 AS x FROM t");
  const auto bound = q.Bind("SELECT x FROM v");
  ASSERT_TRUE(bound.ok());
  const BoundRelation* relation = bound->get();
  bool seen = false;
  while (const auto* project = relation->As<BoundProject>()) {
    for (const BoundOutput& output : project->outputs) {
      if (output.expression->As<BoundCall>() == nullptr) continue;
      seen = true;
      const auto place = plan::ContextOf(output.expression->origin);
      ASSERT_TRUE(place.has_value());
      EXPECT_EQ(place->fragment, "a + 1");
      EXPECT_EQ(place->object_type, "VIEW");
      EXPECT_EQ(place->object_name, "v");
    }
    relation = project->child.get();
  }
  EXPECT_TRUE(seen);
}

TEST(TableBindingTest, ChangesOfATableHaveThreeMoreColumns) {
  QueryAnalysis q;
  EXPECT_EQ(q.Columns("SELECT c._change_type, _commit_version FROM table_changes('u', 0) c"),
            "_change_type string, _commit_version bigint");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('u', 0, 99)"),
            "k int, a int, z string, _change_type string, _commit_version bigint, "
            "_commit_timestamp timestamp");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('u', 1)"),
            "DELTA_CDC_START_VERSION_AFTER_LATEST");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('u', 0, -1)"), "DELTA_INVALID_CDC_RANGE");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('u', NULL)"),
            "DELTA_CDC_READ_NULL_RANGE_BOUNDARY");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('u')"), "INCORRECT_NUMBER_OF_ARGUMENTS");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes('nope', 0)"), "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(q.Columns("SELECT * FROM table_changes_by_path('/nope', 0)"),
            "DELTA_MISSING_DELTA_TABLE");
}

}  // namespace
}  // namespace merganser
