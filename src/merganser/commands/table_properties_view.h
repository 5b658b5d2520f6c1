#pragma once

#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The properties of a table as SHOW TBLPROPERTIES gives them: its own, and what its protocol says
/// as delta.minReaderVersion, delta.minWriterVersion and, where features are listed,
/// delta.feature.*.
StringMap ShownProperties(const Snapshot& snapshot);

}  // namespace merganser
