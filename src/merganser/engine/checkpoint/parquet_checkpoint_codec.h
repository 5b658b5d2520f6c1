#pragma once

#include <memory>

#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/engine/database.h"

namespace merganser::engine {

/// Reads and writes checkpoints with the Parquet reader and writer of `database`.
///
/// Rows pass as JSON lines, in the form of commits, so that one reader and one writer of actions serve both kinds of
/// log files. Statistics are written as JSON text; checkpoints that only have them as structs are read.
std::shared_ptr<CheckpointCodec> MakeCheckpointCodec(std::shared_ptr<Database> database);

}  // namespace merganser::engine
