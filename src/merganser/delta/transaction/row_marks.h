#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The files of a transaction some of whose rows it deletes through deletion vectors: each has a
/// remove and an add action of the same path.
struct RowMarks {
  std::vector<AddFile>& added;
  std::vector<RemoveFile>& removed;
};

/// Bring deletion vectors past a commit that deleted other rows of the same files through vectors
/// of its own. What `marks` adds then hides the rows of both; vectors that grew past what the log
/// holds are written to a new file of the table.
///
/// Returns the winner's actions that are settled by that left out: what is left is to be checked
/// for conflicts. A file of which both deleted one row, or which one of them rewrote, stays in.
/// Fails with kIo and kCorruption classes if a vector cannot be read or written.
Result<std::vector<Action>> RebaseRowMarks(const Snapshot& snapshot, std::vector<Action> winner,
                                           const RowMarks& marks);

}  // namespace merganser
