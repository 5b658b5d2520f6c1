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
};

/// Every kind of statement that writes.
const std::vector<Scenario>& Scenarios();

/// For GoogleTest.
void PrintTo(const Scenario& scenario, std::ostream* out);

/// A warehouse that can be put back to the state in which a scenario's statement finds it.
class ScenarioWarehouse {
 public:
  /// Run the setup. Throws std::runtime_error if that fails, which is the test's own fault.
  explicit ScenarioWarehouse(const Scenario& scenario);

  std::string path() const { return folder_ / "warehouse"; }
  void Restore() const;

  /// Table t as text: its columns and rows, or the class of the error that reading it gives.
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
