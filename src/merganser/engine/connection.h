#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "merganser/base/result.h"
#include "merganser/engine/database.h"
#include "merganser/engine/result_stream.h"
#include "merganser/engine/row_table.h"

namespace merganser::engine {

/// How far the running statement is.
struct Progress {
  double fraction = 0;  ///< 0 to 1; what is unknown counts as not done.
  uint64_t rows = 0;    ///< Rows read so far, an estimate.
  uint64_t bytes = 0;   ///< Bytes of the data files opened so far, whole files.
};

/// A session with the engine: runs one statement at a time and owns its temporary tables.
///
/// `sql` is always the engine's dialect, fully typed, never text of a user. `Interrupt` and
/// `progress` may be called from any thread, all else from one at a time.
///
/// Statements fail with the error that one of our own functions raised, or with kUser, kIo
/// (FAILED_READ_FILE, disk full) and kInternal classes made from the engine's own error; an
/// interrupted one with OPERATION_CANCELED.
class Connection {
 public:
  static Result<std::unique_ptr<Connection>> Open(std::shared_ptr<Database> database);

  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Run a statement to its end. Returns the rows it changed, or 0 where that has no meaning.
  Result<int64_t> Execute(const std::string& sql);

  /// Start a query. The stream must be finished or destroyed before the next statement; it keeps
  /// this connection alive no longer than the connection itself lives.
  Result<std::unique_ptr<ResultStream>> Query(const std::string& sql);

  /// Run a query and keep all of its rows. For results known to be small.
  Result<RowTable> QueryTable(const std::string& sql);

  /// Make the running statement fail with OPERATION_CANCELED soon. No effect if none is running.
  void Interrupt();
  Progress progress() const;

  const std::shared_ptr<Database>& database() const { return database_; }

  struct Native;
  Native& native() { return *native_; }

 private:
  Connection(std::shared_ptr<Database> database, std::unique_ptr<Native> native);

  std::shared_ptr<Database> database_;
  std::unique_ptr<Native> native_;
};

}  // namespace merganser::engine
