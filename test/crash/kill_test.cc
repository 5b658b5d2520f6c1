#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "test/crash/scenario.h"
#include "test/support/result_rows.h"

namespace merganser::test {
namespace {

constexpr int kKilled = 137;

/// Run the statement in a process of its own that ends at `failpoint`. Returns its exit status.
int RunKilled(const ScenarioWarehouse& warehouse, const std::string& statement,
              const std::string& failpoint) {
  const std::string command =
      "MERGANSER_FAILPOINTS='" + failpoint + "=kill' " MERGANSER_PROGRAM " --warehouse '" +
      warehouse.path() +
      "' --conf spark.databricks.delta.retentionDurationCheck.enabled=false -e \"" + statement +
      "\" >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Stage {
  const char* failpoint;
  bool committed;  ///< Is the new version there when the process ends?
};

constexpr Stage kStages[] = {
    {"commit.after_data_files", false}, {"commit.before_put", false},
    {"commit.after_put", true},         {"commit.before_checkpoint", true},
    {"checkpoint.before_write", true},  {"checkpoint.before_hint", true},
};

class KillTest : public ::testing::TestWithParam<Stage> {};

TEST_P(KillTest, TheTableIsTheVersionBeforeOrAfter) {
  const Stage& stage = GetParam();
  for (const Scenario& scenario : Scenarios()) {
    // Only this one writes a checkpoint.
    if (scenario.name != "MergeWithCheckpoint" && scenario.name != "Merge") continue;
    SCOPED_TRACE(scenario.name);
    const ScenarioWarehouse warehouse(scenario);
    warehouse.Restore();
    const int status = RunKilled(warehouse, scenario.statement, stage.failpoint);
    const bool is_checkpoint = std::string(stage.failpoint).starts_with("checkpoint.");
    if (scenario.name == "Merge" && is_checkpoint) {
      EXPECT_EQ(status, 0);
      continue;
    }
    EXPECT_EQ(status, kKilled);
    EXPECT_EQ(warehouse.State(), stage.committed ? warehouse.after() : warehouse.before());
    // What the process left behind hinders nobody, and the statement can run (again).
    const auto again = RunSql(*warehouse.Open(), scenario.statement);
    EXPECT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(warehouse.State(), warehouse.after());
  }
}

INSTANTIATE_TEST_SUITE_P(Stages, KillTest, ::testing::ValuesIn(kStages), [](const auto& stage) {
  std::string name = stage.param.failpoint;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

TEST(KillDuringVacuumTest, NoLiveFileIsGone) {
  for (const Scenario& scenario : Scenarios()) {
    if (scenario.name != "Vacuum") continue;
    const ScenarioWarehouse warehouse(scenario);
    warehouse.Restore();
    EXPECT_EQ(RunKilled(warehouse, scenario.statement, "vacuum.between_files"), kKilled);
    EXPECT_EQ(warehouse.State(), warehouse.after());
    const auto again = RunSql(*warehouse.Open(), scenario.statement);
    EXPECT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(warehouse.State(), warehouse.after());
  }
}

}  // namespace
}  // namespace merganser::test
