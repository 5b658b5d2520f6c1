#pragma once

#include <memory>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser {

/// The change feed of versions [start, end] as a source for mg_scan: the columns of `latest`, then
/// `_change_type`,
/// `_commit_version` and `_commit_timestamp`. Fails as PlanTableChanges.
Result<std::shared_ptr<engine::ScanSource>> ChangeFeedSource(const Snapshot& latest, Version start,
                                                             Version end);

}  // namespace merganser
