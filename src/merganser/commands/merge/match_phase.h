#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/merge_metrics.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/delta/table/file_predicate.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// How clauses are numbered in the actions table: matched, not matched, not matched by source, each
/// in order.
struct ClauseNumbers {
  explicit ClauseNumbers(const BoundMerge& merge)
      : not_matched(static_cast<int>(merge.matched.size())),
        not_matched_by_source(not_matched + static_cast<int>(merge.not_matched.size())),
        end(not_matched_by_source + static_cast<int>(merge.not_matched_by_source.size())) {}
  int not_matched;
  int not_matched_by_source;
  int end;
};

/// A data file with rows that some clause acts on.
struct TouchedFile {
  FileView file;
  int64_t number = 0;  ///< Its `f` in the table `actions`: its position among the candidates.
  std::shared_ptr<const DeletionVector> rows;  ///< Updated or deleted.
  int64_t acted = 0;                           ///< How many those are.
  int64_t deleted = 0;
};

/// What the match phase found. The rows themselves stay in temporary relations of the connection:
/// - `source_rows`: the source's columns that the statement uses, by their engine names, and
/// `source_row`, which numbers them;
/// - `actions(f, r, s, c)`: one row a target row to change, or a source row to insert (then r is
/// NULL): file (position in `candidates`), row of the file, number of the source row (NULL without
/// one), clause number. Rows whose clause is -1 match and are not acted on.
struct MatchResult {
  std::vector<TouchedFile> files;
  FilePredicate read_predicate;  ///< Rows outside of it were not looked at.
  bool read_whole_table = false;
  std::vector<FileView> candidates;  ///< Files that were looked at.
  int64_t inserts = 0;
  std::vector<int64_t> clause_rows = {};  ///< Rows that each clause acts on, by clause number.
};

/// Their names.
inline constexpr const char* kSourceRows = "source_rows";
inline constexpr const char* kActions = "actions";

/// Find out what a merge does to which row (DESIGN 3, steps 0 to 2): evaluate the source once,
/// prune the file list, join key and condition columns, check for ambiguous rows, and number the
/// acting rows. Row metrics are filled in.
///
/// Fails with DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE and run-time errors of source
/// and conditions.
Result<MatchResult> RunMatchPhase(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge, MergeMetrics& metrics);

/// SELECT of a scan's columns under the engine names of `columns`, with file_index and
/// file_row_number, and `more` (", expression AS name" over the scan's columns).
std::string TargetSelect(const std::string& scan, const BoundMerge& merge,
                         const std::string& more = "");

/// CASE over the clauses of one family: the number of the first one whose condition is true, else
/// -1.
Result<std::string> FirstTrueClause(const std::vector<BoundClause>& clauses, int first_number,
                                    const LoweringContext& lowering);

}  // namespace merganser
