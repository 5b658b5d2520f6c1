#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "merganser/engine/database.h"
#include "merganser/session/session.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

/// Rows by id, which the statements below keep unique.
using Model = std::map<int64_t, std::string>;

/// Random statements on a table, and the same on a model of it.
class TableAndModel {
 public:
  TableAndModel(const std::string& properties, uint64_t seed)
      : seed_(seed), random_(seed), session_(Open(folder_ / "warehouse")) {
    Run("CREATE TABLE t (id BIGINT, name STRING, part INT) USING delta PARTITIONED BY (part) "
        "TBLPROPERTIES (" +
        properties + ")");
    history_.emplace_back();
  }

  uint64_t Random(uint64_t below) { return random_() % below; }
  int64_t last_version() const { return static_cast<int64_t>(history_.size()) - 1; }
  const Model& At(int64_t version) const { return history_[static_cast<size_t>(version)]; }
  std::string path() const { return folder_ / "warehouse/t"; }
  std::string folder() const { return folder_ / ""; }

  /// One statement; the model of each version it makes is kept.
  void Step() {
    Model next = history_.back();
    const std::string statement = Draw(next);
    SCOPED_TRACE("seed " + std::to_string(seed_) + ": " + statement);
    Run(statement);
    const int64_t version = NewestVersion();
    while (last_version() < version) history_.push_back(next);
  }

  Model Read(const std::string& relation) {
    Model rows;
    for (const Json& row : Run("SELECT id, name FROM " + relation))
      rows.emplace(row.items()[0].as_int(), row.items()[1].as_string());
    return rows;
  }

  ResultRows Rows(const std::string& sql) {
    auto result = RunSql(*session_, sql);
    if (!result.ok()) throw std::runtime_error(sql + ": " + result.error().message());
    return std::move(result).value();
  }
  std::vector<Json> Run(const std::string& sql) { return Rows(sql).rows; }

 private:
  static std::unique_ptr<Session> Open(const std::string& warehouse) {
    static const auto* database = new std::shared_ptr<engine::Database>([] {
      auto opened = engine::Database::Open({});
      if (!opened.ok()) throw std::runtime_error(opened.error().message());
      return std::move(opened).value();
    }());
    RuntimeOptions options;
    options.warehouse = warehouse;
    options.database = *database;
    auto runtime = Runtime::Open(std::move(options));
    if (!runtime.ok()) throw std::runtime_error(runtime.error().message());
    return std::make_unique<Session>(std::move(runtime).value(), SessionConf());
  }

  int64_t NewestVersion() { return Run("DESCRIBE HISTORY t LIMIT 1").front().items()[0].as_int(); }

  std::string Draw(Model& next) {
    const auto id = static_cast<int64_t>(Random(60));
    const auto end = id + static_cast<int64_t>(Random(8));
    const std::string range = "id BETWEEN " + std::to_string(id) + " AND " + std::to_string(end);
    const std::string name = "n" + std::to_string(counter_++);
    switch (Random(10)) {
      case 0:
      case 1: {
        std::string values;
        for (int64_t i = id; i <= end; ++i) {
          if (next.contains(i)) continue;
          next[i] = name;
          values += (values.empty() ? "" : ", ") + ("(" + std::to_string(i)) + "L, '" + name +
                    "', " + std::to_string(i % 3) + ")";
        }
        return values.empty() ? "INSERT INTO t SELECT * FROM t WHERE false"
                              : "INSERT INTO t VALUES " + values;
      }
      case 2:
      case 3:
        for (auto& [key, value] : next)
          if (key >= id && key <= end) value = name;
        return "UPDATE t SET name = '" + name + "' WHERE " + range;
      case 4:
        std::erase_if(next, [&](const auto& row) { return row.first >= id && row.first <= end; });
        return "DELETE FROM t WHERE " + range;
      case 5:
        return "OPTIMIZE t";
      case 6: {
        if (history_.size() == 1) return "OPTIMIZE t";
        const auto version = static_cast<int64_t>(Random(history_.size() - 1));
        next = At(version);
        return "RESTORE TABLE t TO VERSION AS OF " + std::to_string(version);
      }
      default:
        for (int64_t i = id; i <= end; ++i) {
          if (i % 5 == 0) {
            next.erase(i);
          } else {
            next[i] = name;
          }
        }
        return "MERGE INTO t USING (SELECT id, '" + name +
               "' AS name, CAST(id % 3 AS INT) AS part FROM range(" + std::to_string(id) + ", " +
               std::to_string(end + 1) +
               ")) s ON t.id = s.id WHEN MATCHED AND s.id % 5 = 0 THEN DELETE WHEN MATCHED THEN "
               "UPDATE SET * WHEN NOT MATCHED AND s.id % 5 <> 0 THEN INSERT *";
    }
  }

  ScratchFolder folder_;
  uint64_t seed_;
  std::mt19937_64 random_;
  std::unique_ptr<Session> session_;
  std::vector<Model> history_;
  int64_t counter_ = 0;
};

/// `rows` after the changes of versions first to last.
void Apply(TableAndModel& table, int64_t first, int64_t last, Model& rows) {
  const auto changes =
      table.Run("SELECT _commit_version, _change_type, id, name FROM table_changes('t', " +
                std::to_string(first) + ", " + std::to_string(last) +
                ") ORDER BY _commit_version, "
                "CASE WHEN _change_type IN ('delete', 'update_preimage') THEN 0 ELSE 1 END");
  for (const Json& change : changes) {
    const std::string type = change.items()[1].as_string();
    const int64_t id = change.items()[2].as_int();
    const std::string name = change.items()[3].as_string();
    if (type == "delete" || type == "update_preimage") {
      const auto found = rows.find(id);
      ASSERT_TRUE(found != rows.end()) << "a row that is not there goes: " << id;
      EXPECT_EQ(found->second, name);
      rows.erase(found);
    } else {
      EXPECT_TRUE(rows.emplace(id, name).second) << "a row comes twice: " << id;
    }
  }
}

struct Kind {
  const char* name;
  const char* properties;
};

class HistoryTest : public ::testing::TestWithParam<Kind> {
 protected:
  static uint64_t Seed() {
    const char* given = std::getenv("MERGANSER_SEED");
    return given == nullptr ? 11 : std::strtoull(given, nullptr, 10);
  }
  /// What DESCRIBE DETAIL tells of the state that files make.
  static std::vector<std::string> Detail(const std::string& name, TableAndModel& table) {
    const ResultRows detail = table.Rows("DESCRIBE DETAIL " + name);
    std::vector<std::string> values;
    for (size_t i = 0; i < detail.columns.size(); ++i) {
      const std::string& column = detail.columns[i];
      if (column == "numFiles" || column == "sizeInBytes" || column == "properties" ||
          column == "tableFeatures" || column == "id") {
        values.push_back(column + " " + detail.rows.front().items()[i].Dump());
      }
    }
    return values;
  }
  static int64_t Steps() { return std::getenv("MERGANSER_PROOF") == nullptr ? 40 : 300; }
};

TEST_P(HistoryTest, EveryVersionIsTheModelsAndChangesLeadFromOneToTheNext) {
  TableAndModel table(GetParam().properties, Seed());
  for (int64_t step = 0; step < Steps(); ++step) table.Step();
  EXPECT_EQ(table.Read("t"), table.At(table.last_version()));
  for (int64_t check = 0; check < Steps() / 3; ++check) {
    const auto first =
        static_cast<int64_t>(table.Random(static_cast<uint64_t>(table.last_version())));
    const auto last =
        first + 1 +
        static_cast<int64_t>(table.Random(static_cast<uint64_t>(table.last_version() - first)));
    SCOPED_TRACE("versions " + std::to_string(first) + " to " + std::to_string(last));
    EXPECT_EQ(table.Read("t VERSION AS OF " + std::to_string(last)), table.At(last));
    Model rows = table.At(first);
    Apply(table, first + 1, last, rows);
    EXPECT_EQ(rows, table.At(last));
  }
}

TEST_P(HistoryTest, ReplayOfCommitsAloneFindsTheSame) {
  TableAndModel table(GetParam().properties, Seed() + 1);
  for (int64_t step = 0; step < Steps(); ++step) table.Step();
  const std::string copy = table.folder() + "copy";
  std::filesystem::copy(table.path(), copy, std::filesystem::copy_options::recursive);
  int64_t checkpoints = 0;
  for (const auto& entry : std::filesystem::directory_iterator(copy + "/_delta_log")) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".json") && name.find(".checkpoint.") == std::string::npos) continue;
    checkpoints += name.find(".checkpoint.") != std::string::npos;
    std::filesystem::remove_all(entry.path());
  }
  EXPECT_GT(checkpoints, 0);
  EXPECT_EQ(table.Read("delta.`" + copy + "`"), table.At(table.last_version()));
  const std::vector<std::string> whole = Detail("t", table);
  EXPECT_EQ(Detail("delta.`" + copy + "`", table), whole);
}

constexpr Kind kKinds[] = {
    {"Plain", "delta.enableDeletionVectors = false, delta.enableChangeDataFeed = true"},
    {"Vectors", "delta.enableDeletionVectors = true, delta.enableChangeDataFeed = true"},
    {"MappedTracked",
     "delta.columnMapping.mode = 'name', delta.enableRowTracking = true, "
     "delta.enableDeletionVectors = true, delta.enableChangeDataFeed = true"},
    {"V2Checkpoints",
     "delta.checkpointInterval = 3, delta.checkpointPolicy = 'v2', "
     "delta.enableInCommitTimestamps = true, delta.enableDeletionVectors = true, "
     "delta.enableChangeDataFeed = true"},
};

INSTANTIATE_TEST_SUITE_P(Tables, HistoryTest, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace merganser::test
