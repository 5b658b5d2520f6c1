#include "test/crash/scenario.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string_view>

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

/// What a table has besides its rows.
struct Features {
  std::string name;
  std::string properties;
  std::string layout = {};
};

const std::vector<Features> kFeatures = {
    {"Plain", "delta.enableDeletionVectors = false"},
    {"Partitioned", "delta.enableDeletionVectors = false", "PARTITIONED BY (name)"},
    {"Fed", "delta.enableDeletionVectors = false, delta.enableChangeDataFeed = true"},
    {"Vectors", "delta.enableDeletionVectors = true, delta.enableChangeDataFeed = true"},
    {"MappedTracked",
     "delta.columnMapping.mode = 'name', delta.enableRowTracking = true, "
     "delta.enableDeletionVectors = true"},
    {"Checkpointed",
     "delta.checkpointInterval = 1, delta.checkpointPolicy = 'v2', "
     "delta.enableInCommitTimestamps = true, delta.enableDeletionVectors = true",
     "PARTITIONED BY (name)"},
};

std::vector<std::string> Rows(const Features& features) {
  return {"CREATE TABLE t (id INT, name STRING) USING delta " + features.layout +
              " TBLPROPERTIES (" + features.properties + ")",
          "INSERT INTO t VALUES (1, 'one'), (2, 'two'), (5, 'two')",
          "INSERT INTO t VALUES (3, 'three'), (4, NULL)"};
}

/// Each on the rows above and what its own setup adds.
const std::vector<Scenario> kStatements = {
    {"Append", {}, "INSERT INTO t VALUES (6, 'five'), (7, 'two')"},
    {"AppendSelect", {}, "INSERT INTO t SELECT id + 10, name FROM t"},
    {"Overwrite", {}, "INSERT OVERWRITE t VALUES (5, 'five')"},
    {"ReplaceWhere", {}, "INSERT INTO t REPLACE WHERE name = 'two' VALUES (9, 'two')"},
    {"ReplaceTable", {}, "CREATE OR REPLACE TABLE t USING delta AS SELECT 1 AS other"},
    {"Update", {}, "UPDATE t SET name = 'x' WHERE id = 2"},
    {"UpdateAll", {}, "UPDATE t SET id = id + 100"},
    {"Delete", {}, "DELETE FROM t WHERE id = 2"},
    {"DeleteFile", {}, "DELETE FROM t WHERE id >= 3"},
    {"DeleteAll", {}, "DELETE FROM t"},
    {"Truncate", {}, "TRUNCATE TABLE t"},
    {"Merge", {}, kMerge},
    {"MergeInserting",
     {},
     "MERGE INTO t USING (SELECT 9 AS id, 'n' AS name) s ON t.id = s.id WHEN NOT MATCHED THEN "
     "INSERT *"},
    {"MergeEvolving",
     {},
     "MERGE WITH SCHEMA EVOLUTION INTO t USING (SELECT 2 AS id, 'n' AS name, 5 AS more) s "
     "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"},
    {"AddColumn", {}, "ALTER TABLE t ADD COLUMN more INT"},
    {"RenameColumn", {}, "ALTER TABLE t RENAME COLUMN id TO key"},
    {"DropColumn", {}, "ALTER TABLE t DROP COLUMN name"},
    {"CommentColumn", {}, "ALTER TABLE t ALTER COLUMN id COMMENT 'key'", true},
    {"SetProperties", {}, "ALTER TABLE t SET TBLPROPERTIES ('mine' = '1')"},
    {"UnsetProperties",
     {"ALTER TABLE t SET TBLPROPERTIES ('mine' = '1')"},
     "ALTER TABLE t UNSET TBLPROPERTIES ('mine')"},
    {"AddConstraint", {}, "ALTER TABLE t ADD CONSTRAINT positive CHECK (id > 0)"},
    {"DropConstraint",
     {"ALTER TABLE t ADD CONSTRAINT positive CHECK (id > 0)"},
     "ALTER TABLE t DROP CONSTRAINT positive"},
    {"Optimize", {"INSERT INTO t VALUES (8, 'two')"}, "OPTIMIZE t", true},
    {"OptimizeOrdered", {"INSERT INTO t VALUES (8, 'two')"}, "OPTIMIZE t ZORDER BY (id)", true},
    {"Purge", {"DELETE FROM t WHERE id = 2"}, "REORG TABLE t APPLY (PURGE)", true},
    {"Restore", {"DELETE FROM t WHERE id = 2"}, "RESTORE TABLE t TO VERSION AS OF 1"},
    {"Vacuum", {"DELETE FROM t WHERE id >= 3"}, "VACUUM t RETAIN 0 HOURS", true},
    {"VacuumLite", {"DELETE FROM t WHERE id >= 3"}, "VACUUM t LITE RETAIN 0 HOURS", true},
    {"Clone",
     {"CREATE TABLE s USING delta AS SELECT * FROM t", "DROP TABLE t"},
     "CREATE TABLE t SHALLOW CLONE s"},
};

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
      {"Optimize", PlainTable(), "OPTIMIZE t", true},
      {"Restore", PlainTable(), "RESTORE TABLE t TO VERSION AS OF 1"},
      {"Vacuum",
       {PlainTable()[0], PlainTable()[1], PlainTable()[2], "DELETE FROM t WHERE id = 2",
        "SET spark.databricks.delta.retentionDurationCheck.enabled = false"},
       "VACUUM t RETAIN 0 HOURS",
       true},
  };
  return *scenarios;
}

const std::vector<Scenario>& ScenariosUnderFeatures() {
  static const auto* scenarios = [] {
    auto* list = new std::vector<Scenario>;
    for (const Features& features : kFeatures) {
      for (const Scenario& statement : kStatements) {
        const bool renames = statement.name == "RenameColumn" || statement.name == "DropColumn";
        if (renames && std::string_view(features.properties).find("mapping") == std::string::npos)
          continue;
        Scenario& scenario = list->emplace_back(statement);
        scenario.name = features.name + statement.name;
        scenario.setup = Rows(features);
        scenario.setup.insert(scenario.setup.end(), statement.setup.begin(), statement.setup.end());
      }
    }
    return list;
  }();
  return *scenarios;
}

const std::vector<Scenario>& ChosenScenarios() {
  return std::getenv("MERGANSER_PROOF") == nullptr ? Scenarios() : ScenariosUnderFeatures();
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
  const auto properties = RunSql(*Open(), "SHOW TBLPROPERTIES t");
  if (!properties.ok()) return properties.error().full_name();
  for (const Json& row : properties->rows) {
    const std::string text = row.Dump();
    // These names are made up at random.
    if (text.find("materialized") == std::string::npos) state += "\n" + text;
  }
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
