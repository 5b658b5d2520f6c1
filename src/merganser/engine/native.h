#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/main/client_context_state.hpp>

#include "merganser/engine/connection.h"
#include "merganser/engine/database.h"
#include "merganser/engine/spill_folder.h"

namespace merganser::engine {

struct Database::Native {
  std::unique_ptr<SpillFolder> spill_folder;  ///< Goes after the engine that spills into it.
  std::unique_ptr<duckdb::DuckDB> database;
};

/// What a connection's running statement has done so far; found in its client context.
class StatementCounters : public duckdb::ClientContextState {
 public:
  static StatementCounters& Of(duckdb::ClientContext& context);

  void QueryBegin(duckdb::ClientContext&) override { bytes_opened = 0; }

  std::atomic<uint64_t> bytes_opened{0};
};

struct LocalTable;

struct Connection::Native {
  explicit Native(duckdb::DuckDB& database) : connection(database) {}

  /// Rows that temporary views of the connection read; go after it.
  std::vector<std::shared_ptr<LocalTable>> local_tables;
  duckdb::Connection connection;
};

}  // namespace merganser::engine
