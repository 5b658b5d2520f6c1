#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/row_routes.h"
#include "merganser/commands/table_writer.h"
#include "merganser/commands/uncommitted_files.h"

namespace merganser {

/// The file actions of a merge.
struct FileChanges {
  std::vector<AddFile> added;
  std::vector<RemoveFile> removed;
  std::vector<AddCdcFile> change_files;
};

/// The rows that a merge leaves, before they are written.
struct RoutedRows {
  /// SELECT of `route` (RowRoute), the new values and the extras; constraints are checked in it.
  std::string sql;
  std::vector<BoundColumn> columns;  ///< Of the new values, one a column of the table's schema.
};

/// Rows that are updated, deleted (where old values are wanted) and inserted.
Result<RoutedRows> SelectChangedRows(StatementContext& context, StatementScans& scans,
                                     const BoundMerge& merge, const MatchResult& match,
                                     const WriteTarget& target, const RowExtras& extras);

/// What a rewrite of the touched files takes over as bytes.
struct TakeoverEstimate {
  int64_t row_groups = 0;  ///< Whole ones.
  int64_t columns = 0;     ///< Columns that get new values while all others stay; 0 if all are.
  int64_t bytes = 0;
};
/// Fails as RunWritePhase.
Result<TakeoverEstimate> EstimateTakeover(StatementScans& scans, const BoundMerge& merge,
                                          const MatchResult& match);

/// Write what the match phase decided (DESIGN 3, step 3): touched files are rewritten without their
/// deleted rows and with new values for updated ones (row groups and columns that nothing happens
/// to are taken over as bytes where that pays), or, where the table has deletion vectors,
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
