#include "merganser/engine/native.h"

namespace merganser::engine {

StatementCounters& StatementCounters::Of(duckdb::ClientContext& context) {
  return *context.registered_state->GetOrCreate<StatementCounters>("merganser_statement_counters");
}

}  // namespace merganser::engine
