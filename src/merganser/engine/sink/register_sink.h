#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// Register mg_sink, the table function behind RunSink, with a new engine.
void RegisterSinkFunction(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
