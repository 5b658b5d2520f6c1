#pragma once

#include <memory>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/row_routes.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser {

// Scans of the touched files; `file_index` is the file number of the table `actions`.

/// The rows that are acted on.
Result<std::shared_ptr<engine::ScanSource>> ScanActed(const BoundMerge& merge,
                                                      const MatchResult& match,
                                                      const RowExtras& extras);
/// The live rows that are not acted on, without `taken`: rows by touched file.
Result<std::shared_ptr<engine::ScanSource>> ScanCopied(const BoundMerge& merge,
                                                       const MatchResult& match,
                                                       const RowExtras& extras,
                                                       std::vector<DeletionVector> taken);
/// The rows `wanted` by touched file, as far as they are live.
Result<std::shared_ptr<engine::ScanSource>> ScanRows(const BoundMerge& merge,
                                                     const MatchResult& match,
                                                     std::vector<DeletionVector> wanted);

}  // namespace merganser
