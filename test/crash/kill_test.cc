#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
    {"checksum.before_write", true},    {"checkpoint.before_write", true},
    {"checkpoint.before_hint", true},
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

/// The program running a statement, to be killed at an instant.
class Victim {
 public:
  Victim(const std::string& warehouse, const std::string& statement) {
    id_ = ::fork();
    if (id_ != 0) return;
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::execl(MERGANSER_PROGRAM, MERGANSER_PROGRAM, "--warehouse", warehouse.c_str(), "--conf",
            "spark.databricks.delta.retentionDurationCheck.enabled=false", "-e", statement.c_str(),
            nullptr);
    ::_exit(127);
  }
  Victim(const Victim&) = delete;
  Victim& operator=(const Victim&) = delete;
  ~Victim() {
    if (id_ > 0) (void)Wait();
  }

  /// Kill it unless it ends before. True if it ended well by itself.
  bool KillAfter(std::chrono::microseconds time) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
    pollfd end{handle, POLLIN, 0};
    const timespec limit{static_cast<time_t>(time.count() / 1'000'000),
                         static_cast<long>(time.count() % 1'000'000 * 1000)};
    if (::ppoll(&end, 1, &limit, nullptr) == 0) ::kill(id_, SIGKILL);
    ::close(handle);
    const int status = Wait();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  int Wait() {
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return status;
  }

  pid_t id_ = -1;
};

/// How often processes are killed at random instants, by default and in the proof.
int64_t RandomKills() { return std::getenv("MERGANSER_PROOF") == nullptr ? 12 : 1000; }

TEST(RandomKillTest, TheTableIsTheVersionBeforeOrAfter) {
  const char* given = std::getenv("MERGANSER_SEED");
  const uint64_t seed = given == nullptr ? 20240607 : std::strtoull(given, nullptr, 10);
  SCOPED_TRACE("MERGANSER_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto& scenarios = ChosenScenarios();
  int64_t killed = 0;
  int64_t before = 0;
  for (int64_t round = 0; killed < RandomKills(); ++round) {
    ASSERT_LT(round, RandomKills() * 20);
    const Scenario& scenario = scenarios[random() % scenarios.size()];
    SCOPED_TRACE("round " + std::to_string(round) + ": " + scenario.name);
    const ScenarioWarehouse warehouse(scenario);
    warehouse.Restore();
    const auto start = std::chrono::steady_clock::now();
    ASSERT_TRUE(Victim(warehouse.path(), scenario.statement).KillAfter(std::chrono::minutes(1)));
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - start);
    for (int attempt = 0; attempt < 10 && killed < RandomKills(); ++attempt) {
      warehouse.Restore();
      const auto instant =
          std::chrono::microseconds(random() % static_cast<uint64_t>(whole.count()));
      Victim victim(warehouse.path(), scenario.statement);
      const bool ended = victim.KillAfter(instant);
      const std::string state = warehouse.State();
      if (ended) {
        EXPECT_EQ(state, warehouse.after());
        continue;
      }
      ++killed;
      before += state == warehouse.before();
      EXPECT_TRUE(state == warehouse.before() || state == warehouse.after()) << state;
      if (!state.starts_with("TABLE_OR_VIEW_NOT_FOUND")) {
        const auto next = RunSql(*warehouse.Open(), "DELETE FROM t WHERE false");
        EXPECT_TRUE(next.ok()) << next.error().message();
      }
    }
  }
  std::cout << "kills at random instants: " << killed << ", of which before the commit: " << before
            << "\n";
}

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
