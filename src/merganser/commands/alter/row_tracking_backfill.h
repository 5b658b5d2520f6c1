#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Let a table support row tracking, and give row ids to the files that have none, before row
/// tracking is switched on: one commit for the protocol, one for the files ("Row Tracking" in
/// PROTOCOL.md). No effect where that is done.
Status BackfillRowTracking(StatementContext& context, SnapshotRef snapshot);

}  // namespace merganser
