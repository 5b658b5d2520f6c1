#pragma once

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Write a classic (V1) checkpoint of `snapshot` and point `_last_checkpoint` to it ("Checkpoints"
/// in PROTOCOL.md). Tombstones older than delta.deletedFileRetentionDuration before `now_ms` are
/// left out. Does nothing more than replace equal files when run twice.
///
/// Fails with kIo classes; the table is whole whether it succeeds or not.
Status WriteCheckpoint(const Snapshot& snapshot, int64_t now_ms);

/// Is a checkpoint due at the snapshot's version (delta.checkpointInterval)?
bool IsCheckpointDue(const Snapshot& snapshot);

}  // namespace merganser
