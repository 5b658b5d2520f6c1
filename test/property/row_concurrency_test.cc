#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "merganser/engine/database.h"
#include "merganser/session/session.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

/// A session whose statements do not run again when they lose.
std::unique_ptr<Session> OpenOnce(const std::shared_ptr<engine::Database>& database,
                                  const std::string& warehouse) {
  RuntimeOptions options;
  options.warehouse = warehouse;
  options.database = database;
  auto runtime = Runtime::Open(std::move(options));
  auto conf =
      SessionConf::WithInitial({{"spark.databricks.delta.rerunOnConflict.enabled", "false"}});
  if (!runtime.ok() || !conf.ok()) throw std::runtime_error("no session");
  return std::make_unique<Session>(std::move(runtime).value(), std::move(conf).value());
}

TEST(RowConcurrencyTest, WritersOfDifferentRowsOfOneFileAllWin) {
  constexpr int kWriters = 4;
  constexpr int kRows = 12;
  const ScratchFolder folder;
  const std::string warehouse = folder / "warehouse";
  auto database = engine::Database::Open({});
  ASSERT_TRUE(database.ok());
  const auto setup = OpenOnce(*database, warehouse);
  for (const char* sql :
       {"CREATE TABLE t (id INT, v STRING) USING delta TBLPROPERTIES "
        "('delta.enableDeletionVectors' = 'true', 'delta.enableRowTracking' = 'true')",
        "INSERT INTO t SELECT CAST(id AS INT), 'old' FROM range(1000)"}) {
    const auto result = RunSql(*setup, sql);
    ASSERT_TRUE(result.ok()) << result.error().message();
  }
  std::vector<std::string> failures(kWriters);
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      const auto session = OpenOnce(*database, warehouse);
      for (int row = 0; row < kRows; ++row) {
        const std::string id = std::to_string(row * kWriters + writer);
        const std::string sql = row % 2 == 0 ? "DELETE FROM t WHERE id = " + id
                                             : "UPDATE t SET v = 'new' WHERE id = " + id;
        const auto result = RunSql(*session, sql);
        if (!result.ok()) failures[static_cast<size_t>(writer)] += result.error().message() + "\n";
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
  const auto count = RunSql(*setup,
                            "SELECT count(*), count(DISTINCT id), count_if(v = 'new'), "
                            "count(DISTINCT _metadata.row_id) FROM t");
  ASSERT_TRUE(count.ok()) << count.error().message();
  constexpr int kTouched = kWriters * kRows;
  const std::string left = std::to_string(1000 - kTouched / 2);
  EXPECT_EQ(count->rows.front().Dump(),
            "[" + left + "," + left + "," + std::to_string(kTouched / 2) + "," + left + "]");
}

}  // namespace
}  // namespace merganser::test
