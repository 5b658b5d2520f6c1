#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/write_phase.h"

namespace merganser {

/// Mark the acted rows of the touched files in deletion vectors ("Deletion Vectors" in
/// PROTOCOL.md): each file is removed and added again with a vector that has the old and the new
/// marks, or only removed if no row is left. New vectors go into one file of the table, small ones
/// into the log.
Status MarkDeletedRows(StatementContext& context, const MatchResult& match,
                       const WriteTarget& target, UncommittedFiles& files, FileChanges& changes,
                       MergeMetrics& metrics);

}  // namespace merganser
