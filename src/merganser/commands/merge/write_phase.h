#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/table_writer.h"
#include "merganser/commands/uncommitted_files.h"

namespace merganser {

/// The file actions of a merge.
struct FileChanges {
  std::vector<AddFile> added;
  std::vector<RemoveFile> removed;
  std::vector<AddCdcFile> change_files;
};

/// Write what the match phase decided (DESIGN 3, step 3): touched files are rewritten without their
/// deleted rows and with new values for updated ones, or, where the table has deletion vectors,
/// only new rows are written and acted rows marked. Inserted rows come along in the same pass,
/// change rows too if the table has a change feed.
///
/// `target` is the table as it will be. The row balance is checked: rows written must be those
/// kept, updated and inserted. Metrics of rows copied and of files are filled in. Fails with
/// constraint classes, run-time errors of values, engine::RunSink's errors and
/// DELTA_NUM_RECORDS_MISMATCH.
Result<FileChanges> RunWritePhase(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge, const MatchResult& match,
                                  const WriteTarget& target, bool deletion_vectors,
                                  UncommittedFiles& files, MergeMetrics& metrics);

}  // namespace merganser
