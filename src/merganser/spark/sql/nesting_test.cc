#include <string>

#include "gtest/gtest.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser {
namespace {

constexpr int kDeep = 10'000;

std::string Repeat(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

constexpr std::string_view kTooComplex = "FAILED_TO_PARSE_TOO_COMPLEX";

TEST(NestingTest, TakesWhatPeopleWrite) {
  EXPECT_EQ(StatementError("SELECT " + Repeat("(", 200) + "1" + Repeat(")", 200)), "");
  EXPECT_EQ(StatementError("SELECT 1" + Repeat(" + 1", 1000)), "");
  EXPECT_EQ(StatementError("SELECT a" + Repeat(" OR a = 1 AND b", kDeep)), "");
  EXPECT_EQ(StatementError("SELECT a IN (1" + Repeat(", 1", kDeep) + ")"), "");
  EXPECT_EQ(StatementError("SELECT 1" + Repeat(" UNION ALL SELECT 1", 1000)), "");
}

TEST(NestingTest, RefusesDeepText) {
  const std::string open = Repeat("(", kDeep);
  EXPECT_EQ(StatementError("SELECT " + open + "1" + Repeat(")", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + open), kTooComplex);
  EXPECT_EQ(StatementError("SELECT * FROM " + open + "t"), kTooComplex);
  EXPECT_EQ(StatementError(open + "SELECT 1"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("f(", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("NOT ", kDeep) + "a"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("- ", kDeep) + "a"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("CASE WHEN a THEN ", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("x -> ", kDeep) + "x"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT a[" + Repeat("b[", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT " + Repeat("position(", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT a IN " + Repeat("(a IN ", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError(Repeat("SELECT (", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError(Repeat("EXPLAIN ", kDeep) + "SELECT 1"), kTooComplex);
  EXPECT_EQ(StatementError(Repeat("WITH a AS (", kDeep) + "SELECT 1"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT CAST(1 AS " + Repeat("array<", kDeep) + "int"), kTooComplex);
  EXPECT_EQ(StatementError("SELECT a GROUP BY " + Repeat("GROUPING SETS (", kDeep)), kTooComplex);
}

TEST(NestingTest, RefusesTallTrees) {
  EXPECT_EQ(StatementError("SELECT 1" + Repeat(" + 1", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT a" + Repeat("[0]", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT a" + Repeat("::int", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT 1" + Repeat(" UNION SELECT 1", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT * FROM t" + Repeat(" JOIN t", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("SELECT * FROM t" + Repeat(", t", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("FROM t" + Repeat(" |> LIMIT 1", kDeep)), kTooComplex);
  EXPECT_EQ(StatementError("FROM t" + Repeat(" LATERAL VIEW explode(a) b", kDeep)), kTooComplex);
  const std::string chain = Repeat(" + 1", 600);
  EXPECT_EQ(StatementError("SELECT ((1" + chain + ")" + chain + ")" + chain), kTooComplex);
}

TEST(NestingTest, SurvivesTextCutAnywhere) {
  const std::string_view statements[] = {
      "WITH c AS (SELECT a, CASE WHEN b IN (1, 2) THEN 'x''y' ELSE c END FROM t JOIN u USING (k)) "
      "SELECT sum(x) OVER (PARTITION BY y ORDER BY z ROWS 1 PRECEDING) FROM c WHERE d LIKE 'a%' "
      "ESCAPE '/'",
      "MERGE WITH SCHEMA EVOLUTION INTO t USING (SELECT 1) s ON t.a <=> s.a WHEN MATCHED AND a > "
      "INTERVAL '1' DAY THEN "
      "UPDATE SET a = DEFAULT WHEN NOT MATCHED THEN INSERT (a, b) VALUES (DATE '2020-01-01', "
      "X'1F')",
      "CREATE TABLE t (a STRUCT<b: ARRAY<INT>, c: DECIMAL(5,2)> NOT NULL COMMENT 'x', d INT "
      "GENERATED ALWAYS AS (a.b[0])) "
      "USING delta PARTITIONED BY (d) TBLPROPERTIES ('a' = 'b')",
  };
  for (const std::string_view statement : statements) {
    for (size_t length = 0; length <= statement.size(); ++length) {
      const auto parsed = ParseStatement(statement.substr(0, length));
      if (!parsed.ok()) {
        EXPECT_NE(parsed.error().full_name(), "INTERNAL_ERROR");
      }
    }
  }
}

}  // namespace
}  // namespace merganser
