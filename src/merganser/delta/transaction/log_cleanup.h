#pragma once

#include <cstdint>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Remove commits, checkpoints, checksums, compactions and sidecars that nobody is promised any
/// more ("Metadata Cleanup" in PROTOCOL.md): what lies before the newest checkpoint that is no
/// newer than the newest commit from before delta.logRetentionDuration, counted back from the
/// midnight (UTC) before `now_ms`. Every version from that checkpoint on can still be read.
///
/// Does nothing where delta.enableExpiredLogCleanup is false, where there is no such checkpoint,
/// and where the feature checkpointProtection forbids it. Files go in ascending order, so a failure
/// half way (kIo) leaves a log that reads as well. Costs a listing of the log.
Status CleanUpLog(const Snapshot& snapshot, int64_t now_ms);

}  // namespace merganser
