#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/transaction/operation.h"

namespace merganser {

/// What OPTIMIZE and REORG did.
struct OptimizeMetrics {
  std::vector<int64_t> added_sizes;  ///< Bytes of each new file.
  std::vector<int64_t> removed_sizes;
  int64_t partitions = 0;
  int64_t bins = 0;
  int64_t considered_files = 0;
  int64_t deletion_vectors_removed = 0;
  int64_t deleted_rows_removed = 0;
  std::string strategy;  ///< Of ZORDER BY and clustered tables: "all"; else empty.
  bool clustered = false;
  int64_t start_ms = 0;
  int64_t end_ms = 0;
  int64_t table_columns = 0;
  int64_t table_columns_with_statistics = 0;
};

/// Columns of what OPTIMIZE and REORG give.
StructType OptimizeSchema();

/// The one row that OPTIMIZE and REORG give: the table's path and the metrics, of the type that
/// delta-spark gives.
Result<ResultSet> OptimizeResult(StatementContext& context, const std::string& path,
                                 const OptimizeMetrics& metrics);

/// The metrics of the history entry.
void AddMetrics(const OptimizeMetrics& metrics, Operation& operation);

}  // namespace merganser
