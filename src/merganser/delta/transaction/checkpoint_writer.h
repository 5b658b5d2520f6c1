#pragma once

#include <cstdint>
#include <optional>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// How a checkpoint is cut into files.
struct CheckpointOptions {
  /// Most file actions of one part or sidecar; nothing puts all into one.
  std::optional<int64_t> part_size = {};
  /// The main file of a V2 checkpoint is JSON, else Parquet.
  bool json_main_file = false;
};

/// Write a checkpoint of `snapshot` and point `_last_checkpoint` to it ("Checkpoints" in
/// PROTOCOL.md): a V2 one with sidecars where the table's delta.checkpointPolicy says so, else a
/// classic one, in parts if it has more actions than a part takes. Tombstones older than
/// delta.deletedFileRetentionDuration before `now_ms` are left out. Does nothing more than replace
/// equal files when run twice.
///
/// Fails with kIo classes; the table is whole whether it succeeds or not.
Status WriteCheckpoint(const Snapshot& snapshot, int64_t now_ms,
                       const CheckpointOptions& options = {});

/// Is a checkpoint due at the snapshot's version (delta.checkpointInterval)?
bool IsCheckpointDue(const Snapshot& snapshot);

}  // namespace merganser
