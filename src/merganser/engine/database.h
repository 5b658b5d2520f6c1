#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "merganser/base/result.h"

namespace merganser::engine {

/// Resources of an engine instance.
struct DatabaseOptions {
  uint64_t memory_limit = 0;  ///< Bytes; 0 takes 60% of the machine's (or its cgroup's) memory.
  int threads = 0;            ///< 0 takes one a processor.
  /// Folder in which operators spill; empty takes the system's temporary folder.
  std::string temp_directory = {};
  uint64_t max_temp_directory_size = 0;  ///< Bytes; 0 takes 90% of the free space.
};

/// The query engine of a process: threads, memory and spill space shared by its connections.
///
/// Holds no user data. Runs in UTC, in no particular row order, and its settings cannot be changed
/// by statements. Thread-safe; outlived by no Connection (each one keeps it alive).
class Database {
 public:
  /// Start the engine and register the mg_* functions. Fails with kIo if the spill folder cannot be
  /// made, INTERNAL_ERROR if the library refuses to start.
  static Result<std::shared_ptr<Database>> Open(DatabaseOptions options = {});

  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const DatabaseOptions& options() const { return options_; }

  struct Native;
  Native& native() { return *native_; }

 private:
  Database(DatabaseOptions options, std::unique_ptr<Native> native);

  DatabaseOptions options_;
  std::unique_ptr<Native> native_;
};

}  // namespace merganser::engine
