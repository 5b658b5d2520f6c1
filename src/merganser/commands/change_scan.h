#pragma once

#include <memory>

#include "merganser/base/result.h"
#include "merganser/delta/table/table_changes.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser {

/// The change feed of a table as a source for mg_scan: the table's columns, then _change_type,
/// _commit_version and _commit_timestamp.
///
/// Fails with DELTA_LOG_CORRUPTED if a path leaves the table's folder.
Result<std::shared_ptr<engine::ScanSource>> ChangeSourceOf(const Snapshot& snapshot,
                                                           const TableChanges& changes);

}  // namespace merganser
