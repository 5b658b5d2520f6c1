#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// What to read of a checkpoint or sidecar file.
struct CheckpointRead {
  ActionSet actions = ActionSet::All();
  /// Fill AddFile::stats. Where a file has only `stats_parsed`, the codec writes its JSON text from
  /// the columns below.
  bool statistics = true;
  std::vector<StatisticsColumn> statistics_columns;
};

/// What a checkpoint file has besides its actions.
struct CheckpointLayout {
  /// The kinds of actions that have a column.
  ActionSet actions = ActionSet::All();
  /// Write `add.stats`.
  bool stats_as_json = true;
  /// Write `add.stats_parsed` with these columns, and `add.partitionValues_parsed` with the ones
  /// below.
  bool stats_as_struct = false;
  std::vector<StatisticsColumn> statistics_columns;
  StructType partition_schema;    ///< Physical names.
  std::string compression_codec;  ///< As delta.parquet.compression.codec; empty is the default.
};

/// What was written.
struct CheckpointWritten {
  int64_t size_in_bytes = 0;
  int64_t num_actions = 0;
};

/// Reads and writes the Parquet files of the log; implemented over the engine's Parquet reader.
/// Safe to use from several threads.
class CheckpointCodec {
 public:
  virtual ~CheckpointCodec() = default;

  /// Hand the actions of the Parquet file `path` to `visitor`, in file order. Columns outside
  /// `read` are not decoded; missing columns are null. Fails with DELTA_... corruption classes if
  /// the file is no checkpoint.
  virtual Status Read(FileSystem& file_system, const std::string& path, const CheckpointRead& read,
                      ActionVisitor& visitor) = 0;

  /// Write what `produce` hands to its visitor as the Parquet file `path`, replacing one that is
  /// there. The file appears whole or not at all, and is durable on return ("Checkpoint Schema").
  virtual Result<CheckpointWritten> Write(FileSystem& file_system, const std::string& path,
                                          const CheckpointLayout& layout,
                                          const std::function<Status(ActionVisitor&)>& produce) = 0;
};

}  // namespace merganser
