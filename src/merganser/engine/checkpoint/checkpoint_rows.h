#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/scan/scan_source.h"

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// Checkpoint files to read, and who gets their actions.
struct CheckpointRows {
  /// Files with columns of CheckpointSchema. Their numbers are those of `names` and of the places.
  std::shared_ptr<const ScanSource> source;
  std::vector<StatisticsColumn> statistics_columns;
  std::vector<std::string> names;  ///< What errors call the files.
  PartVisitors visitors;
};

/// Hand the actions in `rows` to their visitors, on every thread of the engine; a run is what one
/// thread reads of a file without a gap. Fails with DELTA_LOG_CORRUPTED for an action without a
/// field that it cannot do without, and as scans do.
Status ReadCheckpointRows(Connection& connection, const CheckpointRows& rows);

/// Register mg_checkpoint, the table function behind ReadCheckpointRows, with a new engine.
void RegisterCheckpointFunction(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
