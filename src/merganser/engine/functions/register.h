#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// Register Spark's scalar functions, casts and operators under the names mg_*, and the aggregate
/// functions that the engine lacks. Called once for every database.
void RegisterScalarFunctions(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
