#include <cstdint>
#include <iostream>

#include <gtest/gtest.h>

#include "merganser/io/faulty_file_system.h"
#include "merganser/io/local_file_system.h"
#include "test/crash/scenario.h"
#include "test/support/result_rows.h"

namespace merganser::test {
namespace {

/// Faults that a statement met, in all tests of the run.
int64_t injection_points = 0;

class CountReport final : public ::testing::Environment {
 public:
  void TearDown() override { std::cout << "injection points: " << injection_points << "\n"; }
};
[[maybe_unused]] const auto* const kCountReport =
    ::testing::AddGlobalTestEnvironment(new CountReport);

using ArmFault = void (*)(FaultyFileSystem& file_system, int64_t operation);

/// Run the statement once for each operation `arm` makes fail, until one run meets no fault.
///
/// Whatever fails: the table is as before or as after, a statement that reports success has
/// happened, and one that reports failure has not, unless it says that it cannot know.
void CheckEveryOperation(const Scenario& scenario, ArmFault arm) {
  const ScenarioWarehouse warehouse(scenario);
  ASSERT_EQ(warehouse.before() == warehouse.after(), scenario.keeps_state);
  for (int64_t operation = 0;; ++operation) {
    warehouse.Restore();
    const auto disk = std::make_shared<FaultyFileSystem>(std::make_shared<LocalFileSystem>());
    const auto session = warehouse.Open(std::make_shared<FileSystems>(disk));
    const int64_t first = disk->operation_count();
    arm(*disk, first + operation);
    const auto result = RunSql(*session, scenario.statement);
    const bool reached = disk->operation_count() > first + operation;
    const std::string state = warehouse.State();
    SCOPED_TRACE("operation " + std::to_string(operation) + ": " +
                 (result.ok() ? std::string("ok") : result.error().message()));
    if (result.ok()) {
      EXPECT_EQ(state, warehouse.after());
    } else if (result.error().kind() != ErrorKind::kCommitUnknown) {
      EXPECT_EQ(state, warehouse.before());
    } else {
      EXPECT_TRUE(state == warehouse.before() || state == warehouse.after()) << state;
    }
    // Nothing that was left behind may stand in the way of the next writer.
    if (state != "TABLE_OR_VIEW_NOT_FOUND") {
      const auto next = RunSql(*warehouse.Open(), "DELETE FROM t WHERE false");
      EXPECT_TRUE(next.ok()) << next.error().message();
    }
    if (!reached) {
      EXPECT_TRUE(result.ok());
      break;
    }
    ++injection_points;
    ASSERT_LT(operation, 1000);
  }
}

class FaultTest : public ::testing::TestWithParam<Scenario> {};

TEST_P(FaultTest, OneOperationFails) {
  CheckEveryOperation(GetParam(),
                      [](FaultyFileSystem& disk, int64_t operation) { disk.FailAt(operation); });
}

TEST_P(FaultTest, TheDiskIsGoneFromAnOperationOn) {
  CheckEveryOperation(GetParam(),
                      [](FaultyFileSystem& disk, int64_t operation) { disk.FailFrom(operation); });
}

TEST_P(FaultTest, OneOperationTakesEffectAndReportsFailure) {
  CheckEveryOperation(
      GetParam(), [](FaultyFileSystem& disk, int64_t operation) { disk.LoseAnswerAt(operation); });
}

TEST_P(FaultTest, ALostAnswerIsNoFailure) {
  const ScenarioWarehouse warehouse(GetParam());
  warehouse.Restore();
  const auto disk = std::make_shared<FaultyFileSystem>(std::make_shared<LocalFileSystem>());
  const auto session = warehouse.Open(std::make_shared<FileSystems>(disk));
  disk->LoseNextPutAnswer();
  const auto result = RunSql(*session, GetParam().statement);
  EXPECT_TRUE(result.ok()) << result.error().message();
  EXPECT_EQ(warehouse.State(), warehouse.after());
}

INSTANTIATE_TEST_SUITE_P(Statements, FaultTest, ::testing::ValuesIn(ChosenScenarios()),
                         [](const auto& scenario) { return scenario.param.name; });

}  // namespace
}  // namespace merganser::test
