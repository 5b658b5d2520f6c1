#pragma once

#include <string>

#include <duckdb.hpp>

namespace merganser::engine {

/// Run one statement to its end, as duckdb::Connection::Query does, but sleep rather than spin
/// while other threads are at its last tasks. What is wrong with the statement is in the result,
/// whose rows can spill if `memory_type` says so.
duckdb::unique_ptr<duckdb::QueryResult> RunStatement(
    duckdb::Connection& connection, const std::string& sql,
    duckdb::QueryResultMemoryType memory_type = duckdb::QueryResultMemoryType::IN_MEMORY);

}  // namespace merganser::engine
