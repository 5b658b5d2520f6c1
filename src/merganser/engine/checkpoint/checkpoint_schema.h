#pragma once

#include <vector>

#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// What the columns of a checkpoint hold besides the fields every one has.
struct CheckpointColumns {
  ActionSet actions = ActionSet::All();
  bool stats = true;                                ///< `add.stats`.
  std::vector<StatisticsColumn> stats_parsed = {};  ///< `add.stats_parsed`, if not empty.
  StructType partition_values_parsed = {};          ///< `add.partitionValues_parsed`, if not empty.
};

/// The columns of a checkpoint file ("Checkpoint Schema" in PROTOCOL.md), one struct an action
/// kind.
StructType CheckpointSchema(const CheckpointColumns& columns);

}  // namespace merganser::engine
