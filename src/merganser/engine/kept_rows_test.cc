#include "merganser/engine/kept_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/test_engine.h"

namespace merganser::engine {
namespace {

class KeptRowsTest : public EngineTest {
 protected:
  KeptRows Keep(const std::string& select) {
    auto kept = KeptRows::Of(*connection_, select);
    EXPECT_TRUE(kept.ok()) << kept.error().message();
    return kept.ok() ? *std::move(kept) : KeptRows{};
  }
};

TEST_F(KeptRowsTest, GivesItsRowsAndNumbersThem) {
  const KeptRows kept = Keep(
      "SELECT * FROM (VALUES (1, 'one', [1, NULL]), (2, NULL, NULL), (3, 'three', [])) v(a, b, c) "
      "ORDER BY a");
  EXPECT_EQ(kept.num_rows(), 3);
  EXPECT_FALSE(kept.is_large());
  EXPECT_EQ(Rows("SELECT row_number, c, b, a FROM " + kept.sql() + " ORDER BY a"),
            "[0,[1,null],\"one\",1]\n[1,null,null,2]\n[2,[],\"three\",3]");
  EXPECT_EQ(Rows("SELECT b FROM " + kept.sql() + " WHERE row_number = 2"), "[\"three\"]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + kept.sql()), "[3]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + kept.sql() + " x JOIN " + kept.sql() + " y USING (a)"),
            "[3]");
}

TEST_F(KeptRowsTest, KeepsNoRows) {
  const KeptRows kept = Keep("SELECT 1 AS a WHERE false");
  EXPECT_EQ(kept.num_rows(), 0);
  EXPECT_EQ(Rows("SELECT count(*), min(row_number) FROM " + kept.sql()), "[0,null]");
}

TEST_F(KeptRowsTest, NumbersRowsTheSameInEveryRead) {
  const KeptRows kept = Keep("SELECT range AS a, range::VARCHAR AS b FROM range(300000)");
  EXPECT_EQ(Rows("SELECT count(DISTINCT row_number), min(row_number), max(row_number) FROM " +
                 kept.sql()),
            "[300000,0,299999]");
  EXPECT_EQ(Rows("SELECT count(*) FROM (SELECT row_number, a FROM " + kept.sql() +
                 ") x JOIN (SELECT row_number, b FROM " + kept.sql() +
                 ") y ON x.row_number = y.row_number AND x.a::VARCHAR = y.b"),
            "[300000]");
}

TEST_F(KeptRowsTest, SpillsWhatMemoryDoesNotHold) {
  auto small = Database::Open({.memory_limit = 64 << 20, .threads = 2, .temp_directory = folder_});
  ASSERT_TRUE(small.ok()) << small.error().message();
  auto opened = Connection::Open(*small);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  connection_ = *std::move(opened);
  const KeptRows kept =
      Keep("SELECT range AS a, repeat(range::VARCHAR, 40) AS b FROM range(600000)");
  EXPECT_EQ(kept.num_rows(), 600000);
  EXPECT_TRUE(kept.is_large());
  EXPECT_EQ(Rows("SELECT count(*) FROM " + kept.sql() + " WHERE b = repeat(a::VARCHAR, 40)"),
            "[600000]");
  EXPECT_EQ(Rows("SELECT sum(row_number)::BIGINT FROM " + kept.sql()), "[179999700000]");
}

TEST_F(KeptRowsTest, ReportsWhatIsWrongWithTheQuery) {
  EXPECT_FALSE(KeptRows::Of(*connection_, "SELECT error('stop')").ok());
  EXPECT_FALSE(connection_->Execute("SELECT * FROM mg_rows('r0')").ok());
}

}  // namespace
}  // namespace merganser::engine
