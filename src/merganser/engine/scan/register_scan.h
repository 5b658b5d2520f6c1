#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// Register mg_scan, the table function behind ScanHandle, with a new engine.
void RegisterScanFunction(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
