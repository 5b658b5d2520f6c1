#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/transaction/transaction.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// The options of a write (DataFrameWriter.option, WITH (...)), the session's settings behind them.
struct WriteOptions {
  bool merge_schema = false;      ///< mergeSchema, spark.databricks.delta.schema.autoMerge.enabled.
  bool overwrite_schema = false;  ///< overwriteSchema.
  bool dynamic_partition_overwrite = false;  ///< partitionOverwriteMode.
  bool data_change = true;                   ///< dataChange.
  std::optional<std::string> replace_where;  ///< replaceWhere.
  std::optional<std::string> user_metadata;  ///< userMetadata.
  /// txnAppId and txnVersion: makes the write idempotent.
  std::optional<SetTransaction> application;
};

/// Fails with DELTA_ILLEGAL_OPTION for a value that is none, and
/// DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS.
Result<WriteOptions> ReadWriteOptions(const StatementContext& context,
                                      const plan::Options& options);

/// Let `transaction` record the application's progress. True if the write has happened already:
/// then nothing is to be done ("Transaction Identifiers" in PROTOCOL.md).
bool IsWrittenAlready(const WriteOptions& options, Transaction& transaction);

}  // namespace merganser
