#pragma once

#include <string>

#include <duckdb.hpp>

namespace merganser::engine {

/// Run one statement to its end, as duckdb::Connection::Query does, but sleep rather than spin
/// while other threads are at its last tasks. What is wrong with the statement is in the result.
duckdb::unique_ptr<duckdb::QueryResult> RunStatement(duckdb::Connection& connection,
                                                     const std::string& sql);

}  // namespace merganser::engine
