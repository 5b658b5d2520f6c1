#include "merganser/engine/functions/register.h"

namespace merganser::engine {

void RegisterScalarFunctions(duckdb::DatabaseInstance&) {}

}  // namespace merganser::engine
