#include "merganser/engine/statement_run.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace merganser::engine {
namespace {

/// Waits longer each time in a row: a short task should not be slept over.
class Patience {
 public:
  void Wait() {
    if (++waits_ <= kYields) {
      std::this_thread::yield();
      return;
    }
    std::this_thread::sleep_for(sleep_);
    sleep_ = std::min(2 * sleep_, kLongest);
  }
  void Reset() { *this = Patience(); }

 private:
  static constexpr int kYields = 16;
  static constexpr std::chrono::microseconds kLongest{500};

  int waits_ = 0;
  std::chrono::microseconds sleep_{10};
};

}  // namespace

duckdb::unique_ptr<duckdb::QueryResult> RunStatement(duckdb::Connection& connection,
                                                     const std::string& sql,
                                                     duckdb::QueryResultMemoryType memory_type) {
  duckdb::QueryParameters parameters(duckdb::QueryResultOutputType::FORCE_MATERIALIZED);
  parameters.memory_type = memory_type;
  auto pending = connection.PendingQuery(sql, parameters);
  Patience patience;
  for (;;) {
    if (pending->HasError())
      return duckdb::make_uniq<duckdb::MaterializedQueryResult>(pending->GetErrorObject());
    const duckdb::PendingExecutionResult state = pending->ExecuteTask();
    if (pending->HasError()) continue;
    if (duckdb::PendingQueryResult::IsResultReady(state)) return pending->Execute();
    if (state == duckdb::PendingExecutionResult::BLOCKED) {
      pending->WaitForTask();
    } else if (state == duckdb::PendingExecutionResult::NO_TASKS_AVAILABLE) {
      patience.Wait();
    } else {
      patience.Reset();
    }
  }
}

}  // namespace merganser::engine
