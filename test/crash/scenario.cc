#include "test/crash/scenario.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <stdexcept>

#include "test/support/result_rows.h"

namespace merganser::test {
namespace {

constexpr char kMerge[] =
    "MERGE INTO t USING (SELECT * FROM VALUES (2, 'changed'), (9, 'new') AS v(id, name)) s "
    "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT * "
    "WHEN NOT MATCHED BY SOURCE AND t.id = 3 THEN DELETE";

std::vector<std::string> Table(const std::string& properties) {
  return {"CREATE TABLE t (id INT, name STRING) USING delta TBLPROPERTIES (" + properties + ")",
          "INSERT INTO t VALUES (1, 'one'), (2, 'two')",
          "INSERT INTO t VALUES (3, 'three'), (4, NULL)"};
}

const std::vector<std::string>& PlainTable() {
  static const auto* setup =
      new std::vector<std::string>(Table("delta.enableDeletionVectors = false"));
  return *setup;
}

std::vector<std::string> WithVectorsAndChanges() {
  return Table("delta.enableDeletionVectors = true, delta.enableChangeDataFeed = true");
}

/// One engine for all; each scenario has a runtime of its own.
std::shared_ptr<engine::Database> SharedDatabase() {
  static const auto* database = new std::shared_ptr<engine::Database>([] {
    auto opened = engine::Database::Open({});
    if (!opened.ok()) throw std::runtime_error(opened.error().message());
    return std::move(opened).value();
  }());
  return *database;
}

}  // namespace

const std::vector<Scenario>& Scenarios() {
  static const auto* scenarios = new std::vector<Scenario>{
      {"CreateTable", {}, "CREATE TABLE t (id INT, day DATE) USING delta PARTITIONED BY (day)"},
      {"CreateTableAsSelect", {}, "CREATE TABLE t USING delta AS SELECT 1 AS id"},
      {"ReplaceTableAsSelect", PlainTable(),
       "CREATE OR REPLACE TABLE t USING delta AS SELECT 1 AS other"},
      {"Append", PlainTable(), "INSERT INTO t VALUES (5, 'five')"},
      {"Overwrite", PlainTable(), "INSERT OVERWRITE t VALUES (5, 'five')"},
      {"Update", PlainTable(), "UPDATE t SET name = 'x' WHERE id = 2"},
      {"Delete", PlainTable(), "DELETE FROM t WHERE id = 2"},
      {"DeleteMarkingRows", WithVectorsAndChanges(), "DELETE FROM t WHERE id = 2"},
      {"Merge", PlainTable(), kMerge},
      {"MergeMarkingRows", WithVectorsAndChanges(), kMerge},
      {"MergeWithCheckpoint",
       Table("delta.enableDeletionVectors = false, delta.checkpointInterval = 1"), kMerge},
      {"AddColumn", PlainTable(), "ALTER TABLE t ADD COLUMN more INT"},
      {"Optimize", PlainTable(), "OPTIMIZE t"},
      {"Restore", PlainTable(), "RESTORE TABLE t TO VERSION AS OF 1"},
      {"Vacuum",
       {PlainTable()[0], PlainTable()[1], PlainTable()[2], "DELETE FROM t WHERE id = 2",
        "SET spark.databricks.delta.retentionDurationCheck.enabled = false"},
       "VACUUM t RETAIN 0 HOURS"},
  };
  return *scenarios;
}

void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

ScenarioWarehouse::ScenarioWarehouse(const Scenario& scenario) {
  const auto run = [&](const std::string& sql) {
    const auto result = RunSql(*Open(), sql);
    if (!result.ok()) throw std::runtime_error(result.error().message());
  };
  for (const std::string& sql : scenario.setup) run(sql);
  std::filesystem::create_directories(path());
  std::filesystem::copy(path(), folder_ / "saved", std::filesystem::copy_options::recursive);
  before_ = State();
  run(scenario.statement);
  after_ = State();
}

void ScenarioWarehouse::Restore() const {
  std::filesystem::remove_all(path());
  std::filesystem::copy(folder_ / "saved", path(), std::filesystem::copy_options::recursive);
}

std::string ScenarioWarehouse::State() const {
  auto rows = RunSql(*Open(), "SELECT * FROM t");
  if (!rows.ok()) {
    const Error& error = rows.error();
    return error.full_name() + (error.cause() != nullptr ? ": " + error.cause()->message() : "");
  }
  std::vector<std::string> lines;
  for (const Json& row : rows->rows) lines.push_back(row.Dump());
  std::sort(lines.begin(), lines.end());
  std::string state;
  for (const std::string& column : rows->columns) state += column + " ";
  for (const std::string& line : lines) state += "\n" + line;
  return state;
}

std::unique_ptr<Session> ScenarioWarehouse::Open(
    std::shared_ptr<const FileSystems> file_systems) const {
  RuntimeOptions options;
  options.warehouse = path();
  options.database = SharedDatabase();
  options.file_systems = std::move(file_systems);
  auto runtime = Runtime::Open(std::move(options));
  if (!runtime.ok()) throw std::runtime_error(runtime.error().message());
  SessionConf::Values values = {{"spark.databricks.delta.retentionDurationCheck.enabled", "false"}};
  auto conf = SessionConf::WithInitial(std::move(values));
  if (!conf.ok()) throw std::runtime_error(conf.error().message());
  return std::make_unique<Session>(std::move(runtime).value(), std::move(conf).value());
}

}  // namespace merganser::test
