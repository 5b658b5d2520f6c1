#include "merganser/spark/sql/statement_parser.h"

#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

template <typename T>
T ParsedCommand(const std::string& sql) {
  const auto parsed = ParseStatement(sql);
  if (!parsed.ok()) {
    ADD_FAILURE() << sql << ": " << parsed.error().message();
    return {};
  }
  const auto* command = parsed->As<T>();
  if (command == nullptr) {
    ADD_FAILURE() << sql;
    return {};
  }
  return *command;
}

TEST(StatementParserTest, TakesSemicolons) {
  const auto parsed = ParseStatement("SELECT 1 ; ;");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(StatementError("SELECT 1; SELECT 2"), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(StatementError(" -- nothing\n;"), "PARSE_EMPTY_STATEMENT");
  EXPECT_EQ(StatementError("SELECT 1 /* open"), "UNCLOSED_BRACKETED_COMMENT");
  EXPECT_EQ(StatementError("FOO"), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(StatementError("GRANT x TO y"), "INVALID_STATEMENT_OR_CLAUSE");
}

TEST(StatementParserTest, PutsSyntaxBeforeMeaning) {
  EXPECT_EQ(StatementError("SELECT DATE 'x', CAST(1 AS NOTYPE) FROM t WHERE )"),
            "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(StatementError("SELECT DATE 'x', CAST(1 AS NOTYPE)"), "INVALID_TYPED_LITERAL");
  EXPECT_EQ(StatementError("SELECT CAST(1 AS array<NOTYPE>)"), "UNSUPPORTED_DATATYPE");
}

TEST(StatementParserTest, ReadsSchemasAndDrops) {
  const auto schema = ParsedCommand<plan::CreateSchema>(
      "CREATE DATABASE IF NOT EXISTS d COMMENT 'c' LOCATION '/x' WITH DBPROPERTIES ('a' = 'b')");
  EXPECT_TRUE(schema.if_not_exists);
  EXPECT_EQ(schema.comment, "c");
  EXPECT_EQ(schema.location, "/x");
  EXPECT_EQ(schema.properties.at("a"), "b");
  EXPECT_TRUE(ParsedCommand<plan::DropSchema>("DROP SCHEMA IF EXISTS d CASCADE").cascade);
  EXPECT_TRUE(ParsedCommand<plan::DropTable>("DROP TABLE IF EXISTS t PURGE").purge);
  EXPECT_EQ(PlanText(ParsedCommand<plan::DropView>("DROP VIEW v").name), "v");
  EXPECT_EQ(PlanText(ParsedCommand<plan::UseSchema>("USE SCHEMA d").name), "d");
  EXPECT_EQ(StatementError("USE CATALOG c"), "PARSE_SYNTAX_ERROR");
  EXPECT_TRUE(ParsedCommand<plan::UseSchema>("SET CATALOG 'c'").catalog);
  EXPECT_EQ(PlanText(ParsedCommand<plan::TruncateTable>("TRUNCATE TABLE t").name), "t");
  EXPECT_EQ(ParsedCommand<plan::CommentOn>("COMMENT ON TABLE t IS 'x'").comment, "x");
  EXPECT_FALSE(ParsedCommand<plan::CommentOn>("COMMENT ON SCHEMA d IS NULL").comment.has_value());
}

TEST(StatementParserTest, ReadsSettings) {
  EXPECT_FALSE(ParsedCommand<plan::SetConf>("SET").key.has_value());
  EXPECT_TRUE(ParsedCommand<plan::SetConf>("SET -v").verbose);
  EXPECT_EQ(ParsedCommand<plan::SetConf>("SET a.b").key, "a.b");
  EXPECT_FALSE(ParsedCommand<plan::SetConf>("SET a.b;").value.has_value());
  const auto set = ParsedCommand<plan::SetConf>("SET a.b = it's -- all /* value;");
  EXPECT_EQ(set.key, "a.b");
  EXPECT_EQ(set.value, "it's -- all /* value");
  EXPECT_EQ(ParsedCommand<plan::SetConf>("SET `a b` = `c;d`").value, "c;d");
  EXPECT_EQ(ParsedCommand<plan::SetConf>("SET a=").value, "");
  EXPECT_EQ(ParsedCommand<plan::SetConf>("SET TIME ZONE 'Europe/Paris'").key,
            "spark.sql.session.timeZone");
  EXPECT_EQ(ParsedCommand<plan::SetConf>("SET TIME ZONE INTERVAL '-08:30' HOUR TO MINUTE").value,
            "-08:30");
  EXPECT_EQ(StatementError("SET TIME ZONE INTERVAL 19 HOURS"),
            "INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE");
  EXPECT_EQ(StatementError("SET nope nope"), "INVALID_SET_SYNTAX");
  EXPECT_FALSE(ParsedCommand<plan::ResetConf>("RESET").key.has_value());
  EXPECT_EQ(ParsedCommand<plan::ResetConf>("RESET a.b").key, "a.b");
  EXPECT_EQ(StatementError("RESET a b"), "INVALID_RESET_COMMAND_FORMAT");
}

TEST(StatementParserTest, ReadsDescribe) {
  const auto history =
      ParsedCommand<plan::DescribeHistory>("DESCRIBE HISTORY delta.`/tmp/t` LIMIT 3");
  EXPECT_EQ(history.limit, 3);
  EXPECT_EQ(PlanText(ParsedCommand<plan::DescribeDetail>("DESC DETAIL '/tmp/t'").name),
            "delta./tmp/t");
  EXPECT_EQ(PlanText(ParsedCommand<plan::DescribeTable>("DESCRIBE history").name), "history");
  EXPECT_TRUE(ParsedCommand<plan::DescribeTable>("DESCRIBE TABLE EXTENDED t").extended);
  EXPECT_EQ(ParsedCommand<plan::DescribeTable>("DESC t a.b").column,
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(PlanText(ParsedCommand<plan::DescribeQuery>("DESCRIBE QUERY SELECT 1").query),
            "project(1; ())");
  EXPECT_EQ(PlanText(ParsedCommand<plan::DescribeQuery>("DESCRIBE SELECT 1").query),
            "project(1; ())");
  EXPECT_TRUE(ParsedCommand<plan::DescribeSchema>("DESCRIBE SCHEMA EXTENDED d").extended);
  EXPECT_EQ(PlanText(ParsedCommand<plan::DescribeFunction>("DESCRIBE FUNCTION EXTENDED +").name),
            "+");
}

TEST(StatementParserTest, ReadsShow) {
  const auto tables = ParsedCommand<plan::Show>("SHOW TABLES IN d LIKE 'a*'");
  EXPECT_EQ(tables.kind, plan::ShowKind::kTables);
  EXPECT_EQ(PlanText(tables.name), "d");
  EXPECT_EQ(tables.pattern, "a*");
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW DATABASES 'x'").pattern, "x");
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW VIEWS").kind, plan::ShowKind::kViews);
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW CATALOGS").kind, plan::ShowKind::kCatalogs);
  EXPECT_EQ(PlanText(ParsedCommand<plan::Show>("SHOW COLUMNS IN t IN d").name), "d.t");
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW PARTITIONS t").kind, plan::ShowKind::kPartitions);
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW TBLPROPERTIES t ('a.b')").property, "a.b");
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW CREATE TABLE t").kind, plan::ShowKind::kCreateTable);
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW CURRENT SCHEMA").kind, plan::ShowKind::kCurrentSchema);
  EXPECT_EQ(ParsedCommand<plan::Show>("SHOW SYSTEM FUNCTIONS LIKE 'a'").kind,
            plan::ShowKind::kFunctions);
  EXPECT_EQ(StatementError("SHOW LOCKS t"), "INVALID_STATEMENT_OR_CLAUSE");
}

TEST(StatementParserTest, ReadsMaintenance) {
  const auto optimize = ParsedCommand<plan::Optimize>("OPTIMIZE t WHERE p = 1 ZORDER BY (a, b.c)");
  EXPECT_EQ(PlanText(optimize.condition), "(p = 1)");
  EXPECT_EQ(optimize.zorder_by.size(), 2U);
  EXPECT_TRUE(ParsedCommand<plan::Optimize>("OPTIMIZE '/tmp/t' FULL").full);
  const auto vacuum = ParsedCommand<plan::Vacuum>("VACUUM t LITE RETAIN 0.5 HOURS DRY RUN");
  EXPECT_TRUE(vacuum.lite && vacuum.dry_run);
  EXPECT_EQ(vacuum.retain_hours, 0.5);
  EXPECT_EQ(PlanText(ParsedCommand<plan::Restore>("RESTORE TABLE t TO VERSION AS OF 1").to.version),
            "1");
  EXPECT_EQ(
      PlanText(ParsedCommand<plan::Restore>("RESTORE t TIMESTAMP AS OF '2020-01-01'").to.timestamp),
      "'2020-01-01'");
  EXPECT_EQ(
      PlanText(ParsedCommand<plan::ReorgPurge>("REORG TABLE t WHERE a APPLY (PURGE)").condition),
      "a");
  EXPECT_EQ(ParsedCommand<plan::ReorgPurge>(
                "REORG TABLE t APPLY (UPGRADE UNIFORM (ICEBERG_COMPAT_VERSION = 2))")
                .upgrade_uniform,
            2);
  const auto convert = ParsedCommand<plan::ConvertToDelta>(
      "CONVERT TO DELTA parquet.`/x` NO STATISTICS PARTITIONED BY (p INT)");
  EXPECT_TRUE(convert.no_statistics);
  EXPECT_EQ(convert.partition_by.size(), 1U);
  EXPECT_EQ(ParsedCommand<plan::Generate>("GENERATE symlink_format_manifest FOR TABLE t").mode,
            "symlink_format_manifest");
  EXPECT_EQ(
      ParsedCommand<plan::NoOperation>("ANALYZE TABLE t COMPUTE STATISTICS FOR ALL COLUMNS").name,
      "ANALYZE TABLE");
  EXPECT_EQ(ParsedCommand<plan::NoOperation>("REFRESH TABLE t").name, "REFRESH");
  EXPECT_EQ(ParsedCommand<plan::NoOperation>("ALTER TABLE a.t RECOVER PARTITIONS").name,
            "ALTER TABLE ... RECOVER PARTITIONS");
  EXPECT_EQ(ParsedCommand<plan::NoOperation>("MSCK REPAIR TABLE t SYNC PARTITIONS").name,
            "MSCK REPAIR TABLE");
  EXPECT_EQ(ParsedCommand<plan::NoOperation>("UNCACHE TABLE IF EXISTS t").name, "UNCACHE TABLE");
  EXPECT_EQ(PlanText(ParsedCommand<plan::CreateView>("CACHE LAZY TABLE v AS SELECT 1").query),
            "project(1; ())");
}

TEST(StatementParserTest, ReadsExplain) {
  const auto explain = ParsedCommand<plan::Explain>(
      "EXPLAIN FORMATTED MERGE INTO t USING s ON a WHEN MATCHED THEN DELETE");
  EXPECT_EQ(explain.mode, plan::ExplainMode::kFormatted);
  EXPECT_NE(explain.statement->As<plan::MergeInto>(), nullptr);
  EXPECT_EQ(ParsedCommand<plan::Explain>("EXPLAIN ANALYZE SELECT 1").mode,
            plan::ExplainMode::kAnalyze);
  EXPECT_NE(ParsedCommand<plan::Explain>("EXPLAIN ANALYZE TABLE t COMPUTE STATISTICS")
                .statement->As<plan::NoOperation>(),
            nullptr);
}

TEST(StatementParserTest, ReadsNamesAndPaths) {
  EXPECT_EQ(ParseMultipartName("a.`b.c`.d")->parts, (std::vector<std::string>{"a", "b.c", "d"}));
  EXPECT_EQ(ParseMultipartName("t@v1").error().full_name(), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(*ParseColumnPath("a.`b.``c`.d e"), (std::vector<std::string>{"a", "b.`c", "d e"}));
  for (const std::string_view path : {"", "a.", ".a", "a..b", "`a", "`a`b", "a`b`"}) {
    EXPECT_EQ(ParseColumnPath(path).error().full_name(), "INVALID_ATTRIBUTE_NAME_SYNTAX") << path;
  }
}

}  // namespace
}  // namespace merganser
