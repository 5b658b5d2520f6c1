#include "merganser/engine/connection.h"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/arrow/json_value.h"
#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"

namespace merganser::engine {
namespace {

using ConnectionTest = EngineTest;

TEST_F(ConnectionTest, RunsInUtcWhateverTheMachineSays) {
  EXPECT_EQ(Rows("SELECT current_setting('TimeZone')"), "[\"UTC\"]");
  EXPECT_EQ(Rows("SELECT TIMESTAMP '2024-01-01 10:00:00'::TIMESTAMPTZ"),
            "[\"2024-01-01 10:00:00\"]");
}

TEST_F(ConnectionTest, RefusesToChangeSettings) {
  EXPECT_FALSE(connection_->Execute("SET TimeZone = 'Asia/Tokyo'").ok());
  EXPECT_FALSE(connection_->Execute("SET memory_limit = '1TB'").ok());
}

TEST_F(ConnectionTest, CountsChangedRows) {
  auto made = connection_->Execute("CREATE TEMP TABLE t AS SELECT range AS i FROM range(7)");
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(*made, 7);
  auto deleted = connection_->Execute("DELETE FROM t WHERE i < 3");
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(*deleted, 3);
  auto other = Connection::Open(TestDatabase());
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE((*other)->Execute("SELECT * FROM t").ok())
      << "temporary tables belong to one connection";
}

TEST_F(ConnectionTest, StreamsBatchesInArrow) {
  auto stream = connection_->Query("SELECT range AS i, 'row ' || range AS s FROM range(200000)");
  ASSERT_TRUE(stream.ok()) << stream.error().message();
  EXPECT_EQ((*stream)->schema()[0].type, DataType::Long());
  auto schema = (*stream)->ExportSchema();
  ASSERT_TRUE(schema.ok());
  EXPECT_STREQ(schema->get().children[1]->format, "u");
  int64_t rows = 0;
  int64_t batches = 0;
  while (true) {
    auto batch = (*stream)->Next();
    ASSERT_TRUE(batch.ok());
    if (!batch->has_value()) break;
    EXPECT_GT((*batch)->num_rows(), 0);
    rows += (*batch)->num_rows();
    ++batches;
  }
  EXPECT_EQ(rows, 200000);
  EXPECT_GT(batches, 1);
}

TEST_F(ConnectionTest, EndsBatchesEarlyWhereRowsAreBig) {
  auto stream = connection_->Query("SELECT repeat('x', 100000) AS s FROM range(4096)");
  ASSERT_TRUE(stream.ok()) << stream.error().message();
  auto batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok() && batch->has_value());
  EXPECT_LE((*batch)->num_rows(), 2048);
}

TEST_F(ConnectionTest, ReadsEveryType) {
  EXPECT_EQ(
      Rows("SELECT 1::TINYINT, 2::SMALLINT, 3::INTEGER, 4::BIGINT, 1.5::FLOAT, 2.5::DOUBLE, "
           "1.25::DECIMAL(10,2), 'NaN'::DOUBLE, true, 'x', '\\xAB'::BLOB, DATE '2024-02-29', "
           "TIMESTAMPTZ '2024-01-01 00:00:00+00', TIMESTAMP '2024-01-01 00:00:00.5', "
           "12345678901234567890123456789.12::DECIMAL(38,2), 7::UBIGINT, NULL"),
      "[1,2,3,4,1.5,2.5,\"1.25\",\"NaN\",true,\"x\",\"ab\",\"2024-02-29\",\"2024-01-01 00:00:00\","
      "\"2024-01-01 00:00:00.5\",\"12345678901234567890123456789.12\",7,null]");
  EXPECT_EQ(Rows("SELECT {'a': 1, 'b': [1, NULL]}, MAP {'k': {'x': NULL}}, [[1], [], NULL], "
                 "NULL::INTEGER[]"),
            "[{\"a\":1,\"b\":[1,null]},[[\"k\",{\"x\":null}]],[[1],[],null],null]");
}

TEST_F(ConnectionTest, GivesTypedCells) {
  auto table = connection_->QueryTable(
      "SELECT 5::BIGINT, 'abc', true, NULL::VARCHAR, 0.5::DOUBLE, 'b'::BLOB");
  ASSERT_TRUE(table.ok()) << table.error().message();
  ASSERT_EQ(table->num_rows(), 1);
  EXPECT_EQ(table->Int64(0, 0), 5);
  EXPECT_EQ(table->String(0, 1), "abc");
  EXPECT_TRUE(table->Bool(0, 2));
  EXPECT_TRUE(table->IsNull(0, 3));
  EXPECT_EQ(table->Double(0, 4), 0.5);
  EXPECT_EQ(table->Blob(0, 5), "b");
}

TEST_F(ConnectionTest, IsUsableAfterAnInterrupt) {
  std::atomic<bool> ended{false};
  // The statement forgets interrupts that came before it.
  std::thread interrupter([&] {
    while (!ended) {
      connection_->Interrupt();
      std::this_thread::yield();
    }
  });
  auto result =
      connection_->Execute("SELECT count(*) FROM range(1000000000000) WHERE hash(range) = 1");
  ended = true;
  interrupter.join();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().error_class(), ErrorClass::OPERATION_CANCELED);
  EXPECT_EQ(Rows("SELECT 42"), "[42]");
}

TEST_F(ConnectionTest, SortsMoreThanTheMemoryLimitOrSaysThatItCannot) {
  auto small =
      Database::Open({.memory_limit = 128ull << 20, .threads = 2, .temp_directory = folder_});
  ASSERT_TRUE(small.ok()) << small.error().message();
  auto connection = Connection::Open(*small);
  ASSERT_TRUE(connection.ok());
  auto sorted = (*connection)
                    ->Execute(
                        "CREATE TEMP TABLE t AS SELECT hash(range) AS h, repeat('x', 100) AS s "
                        "FROM range(2000000) ORDER BY h");
  ASSERT_TRUE(sorted.ok()) << sorted.error().message();
  EXPECT_EQ(*sorted, 2000000);
  auto impossible = (*connection)->Execute("SELECT length(string_agg(s, '')) FROM t");
  ASSERT_FALSE(impossible.ok());
  EXPECT_EQ(impossible.error().error_class(), ErrorClass::MEMORY_LIMIT_EXCEEDED);
}

TEST(SqlText, DoublesQuotes) {
  EXPECT_EQ(QuoteIdentifier("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteString("it's"), "'it''s'");
}

}  // namespace
}  // namespace merganser::engine
