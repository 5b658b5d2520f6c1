#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// One row of DESCRIBE HISTORY.
struct HistoryEntry {
  Version version = Version::None();
  int64_t timestamp = 0;        ///< Milliseconds since the epoch, as time travel sees it.
  CommitInfo commit_info = {};  ///< Empty where the commit has none.
};

/// The newest `limit` commits up to `latest`, newest first; all that exist if no limit is given.
/// Commits that vanish while they are read are left out.
Result<std::vector<HistoryEntry>> ReadHistory(const Snapshot& latest,
                                              std::optional<int64_t> limit = std::nullopt);

}  // namespace merganser
