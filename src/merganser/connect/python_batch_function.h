#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/result.h"

namespace merganser::connect {

/// Where functions of foreachBatch run.
struct PythonEnvironment {
  std::string python = {};  ///< The program; empty: PYSPARK_PYTHON, else python3 of the path.
};

/// A Python process with one function of foreachBatch in it. It is itself a client of the server,
/// in the session of the query. Used by one thread at a time, except Kill.
class PythonBatchFunction {
 public:
  struct Definition {
    std::string url;             ///< Of the server, with the session's ids.
    std::string python_version;  ///< Of the client, such as "3.11".
    std::string pickled;         ///< The function.
    /// Modules that the client uploaded: names and contents.
    std::vector<std::pair<std::string, std::string>> modules;
  };

  /// Start the process and let it load the function. Fails with PYTHON_EXCEPTION if there is no
  /// such program, its version is not the client's, or the function cannot be loaded.
  static Result<std::unique_ptr<PythonBatchFunction>> Start(const PythonEnvironment& environment,
                                                            const Definition& definition);
  /// Ends the process.
  ~PythonBatchFunction();

  /// Call the function with the data frame that the server keeps under `frame_id`. Fails with
  /// PYTHON_EXCEPTION and the function's traceback.
  Status Run(const std::string& frame_id, int64_t batch_id);

  /// Make a running call fail. Safe to call from any thread.
  void Kill();
  /// End the process and wait until it is gone; no call may run.
  void End();

 private:
  class Modules;
  PythonBatchFunction(int process, int requests, int replies, std::unique_ptr<Modules> modules);
  Status Send(const std::string& line);
  Result<std::string> Receive();

  const int process_;
  std::mutex mutex_;
  bool ended_ = false;  ///< Guarded by mutex_: its number may be another process's by now.
  const int requests_;
  const int replies_;
  const std::unique_ptr<Modules> modules_;
  std::string received_;
};

}  // namespace merganser::connect
