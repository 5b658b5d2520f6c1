#pragma once

#include <memory>

#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/engine/database.h"

namespace merganser::engine {

/// A codec over the engine's Parquet reader and writer. Files of stores other than the local disk
/// are copied through the temporary folder. Every call uses a connection of its own.
std::shared_ptr<CheckpointCodec> MakeCheckpointCodec(std::shared_ptr<Database> database);

}  // namespace merganser::engine
