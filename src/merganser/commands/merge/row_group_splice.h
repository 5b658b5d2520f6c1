#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/touched_footers.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/commands/write_target.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/engine/splice/data_file_footer.h"

namespace merganser {

/// A fresh name in the folder of the data file at `path`.
std::string NewPathBeside(std::string_view path);

/// Row groups of one touched file that nothing happens to: a rewrite takes them over as bytes.
struct RowGroupSplice {
  size_t file = 0;  ///< Position in MatchResult::files.
  std::shared_ptr<const engine::DataFileFooter> footer;
  std::vector<size_t> kept;  ///< Row groups, ascending.
  DeletionVector rows;       ///< Their rows.
  int64_t bytes = 0;         ///< Theirs.
  FileStatistics statistics;
};

/// The splices that pay in a rewrite of the touched files: those that take over at least a quarter
/// of a file's bytes. None where rows are tracked (a row would lose its id, which is its place),
/// where columns are mapped by id, and for files of other tables. Fails as
/// engine::DataFileFooter::Read.
Result<std::vector<RowGroupSplice>> PlanRowGroupSplices(const BoundMerge& merge,
                                                        const MatchResult& match,
                                                        const WriteTarget& target,
                                                        TouchedFooters& footers);

/// Write what a splice keeps as a new file beside the old one, not durable yet. Fails as
/// engine::DataFileFooter::WriteRowGroups.
Result<engine::WrittenFile> WriteRowGroupSplice(const RowGroupSplice& splice,
                                                const MatchResult& match, const WriteTarget& target,
                                                UncommittedFiles& files);

}  // namespace merganser
