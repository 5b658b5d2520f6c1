#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "merganser/engine/database.h"
#include "merganser/io/file_systems.h"
#include "merganser/session/session.h"
#include "test/support/scratch_folder.h"

/// Statements on a small table, each with the state before it and after it.
namespace merganser::test {

struct Scenario {
  std::string name;
  std::vector<std::string> setup;
  std::string statement;
  /// It changes how the table lies on disk, and nothing that State tells.
  bool keeps_state = false;
};

/// Every kind of statement that writes, on a small plain table.
const std::vector<Scenario>& Scenarios();
/// Many statements, each on tables of many features. Takes minutes where Scenarios takes seconds.
const std::vector<Scenario>& ScenariosUnderFeatures();
/// The second list if the environment variable MERGANSER_PROOF is set, else the first.
const std::vector<Scenario>& ChosenScenarios();

/// For GoogleTest.
void PrintTo(const Scenario& scenario, std::ostream* out);

/// A warehouse that can be put back to the state in which a scenario's statement finds it.
class ScenarioWarehouse {
 public:
  /// Run the setup. Throws std::runtime_error if that fails, which is the test's own fault.
  explicit ScenarioWarehouse(const Scenario& scenario);

  std::string path() const { return folder_ / "warehouse"; }
  void Restore() const;

  /// Table t as text: its columns, rows and properties, or the class of the error that reading it
  /// gives.
  std::string State() const;
  const std::string& before() const { return before_; }
  /// The state after the statement ran undisturbed.
  const std::string& after() const { return after_; }

  /// A session on the warehouse, on a new runtime over `file_systems`.
  std::unique_ptr<Session> Open(std::shared_ptr<const FileSystems> file_systems = nullptr) const;

 private:
  ScratchFolder folder_;
  std::string before_;
  std::string after_;
};

}  // namespace merganser::test
