#pragma once

#include <compare>
#include <cstddef>
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

/// A row of the files that are read together. Places compare as the rows follow each other.
struct CheckpointPlace {
  size_t file = 0;  ///< Position in the list of files.
  int64_t row = 0;

  auto operator<=>(const CheckpointPlace& other) const = default;
};

/// Gives the visitor of the run of rows that begins at a place. Is called from several threads at
/// once, for another place each time.
using PartVisitors = std::function<ActionVisitor&(const CheckpointPlace& begin)>;

/// Reads and writes the Parquet files of the log; implemented over the engine's Parquet reader.
/// Safe to use from several threads.
class CheckpointCodec {
 public:
  virtual ~CheckpointCodec() = default;

  /// Hand the actions of the Parquet files `paths` to visitors, on as many threads as there are.
  ///
  /// The rows are cut into runs. The actions of a run go to one visitor of `visitors`, in file
  /// order and from one thread. Columns outside `read` are not decoded; missing columns are null.
  /// Fails with DELTA_... corruption classes if a file is no checkpoint; what the visitors got
  /// until then is of no use.
  virtual Status ReadInParts(FileSystem& file_system, const std::vector<std::string>& paths,
                             const CheckpointRead& read, const PartVisitors& visitors) = 0;

  /// Hand the actions of the Parquet file `path` to `visitor`, in file order. All of them are held
  /// at once: for the few that are not files, and for small checkpoints.
  Status Read(FileSystem& file_system, const std::string& path, const CheckpointRead& read,
              ActionVisitor& visitor);

  /// Write what `produce` hands to its visitor as the Parquet file `path`, replacing one that is
  /// there. The file appears whole or not at all, and is durable on return ("Checkpoint Schema").
  virtual Result<CheckpointWritten> Write(FileSystem& file_system, const std::string& path,
                                          const CheckpointLayout& layout,
                                          const std::function<Status(ActionVisitor&)>& produce) = 0;
};

}  // namespace merganser
