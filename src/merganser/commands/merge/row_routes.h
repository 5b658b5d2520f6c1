#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/table_writer.h"
#include "merganser/engine/sink/sink.h"

namespace merganser {

/// What happens to a row on its way to the sink.
enum class RowRoute : int { kCopied = 0, kUpdated = 1, kDeleted = 2, kInserted = 3 };
inline constexpr size_t kRowRoutes = 4;

/// What the write phase hands to the sink beside the new values of a row, in this order.
struct RowExtras {
  bool old_values = false;                          ///< For change files.
  bool clause = false;                              ///< Number of the clause, `c`; for previews.
  std::optional<RowTrackingColumns> tracking = {};  ///< Id and commit version of the row.
};

/// Name of the old value of a column by its position.
std::string OldValueName(size_t column);

/// Where rows of each route go: data files, and change files if the old values are there.
engine::SinkSpec RoutesOf(const WriteTarget& target, const SessionConf& conf,
                          const RowExtras& extras);

/// SELECTs of route and values for the rows that the write phase looks at. All of them give the
/// same columns.
class RowSelect {
 public:
  /// `output` gives ids to the new values, one a column of the table's schema after the statement.
  RowSelect(const BoundMerge& merge, const MatchResult& match,
            const std::vector<BoundColumn>& output, const LoweringContext& lowering,
            const RowExtras& extras);

  /// Can rows to update be made from the source alone, without a look at the target? `columns` are
  /// positions in the table's schema of those that are wanted; null for all.
  bool UpdatesFromSource(const std::vector<size_t>* columns = nullptr) const;
  /// May rows to update and to insert come from one pass over the source?
  bool InsertsAlongside() const;

  /// Rows that nothing happens to: all that `scan` gives.
  Result<std::string> CopiedRows(const std::string& scan) const;
  /// Rows to update and, where their old values are wanted, to delete. `scan` gives at least these,
  /// with the file numbers of the table `actions`.
  Result<std::string> ChangedRows(const std::string& scan) const;
  /// Rows to insert, to update, or both, made from the source.
  Result<std::string> SourceRows(bool inserts, bool updates) const;
  /// Positions in the table's schema of the columns to which updates give values of their own.
  Result<std::vector<size_t>> AssignedColumns() const;
  /// File number, row and new values of `columns` of the rows to update. `scan` as for ChangedRows;
  /// not read if UpdatesFromSource.
  Result<std::string> UpdatedColumns(const std::string& scan,
                                     const std::vector<size_t>& columns) const;
  /// The same of rows that nothing happens to.
  Result<std::string> UnchangedColumns(const std::string& scan,
                                       const std::vector<size_t>& columns) const;
  /// Does some row have that route?
  bool Has(RowRoute route) const { return !Firing(route).empty(); }

 private:
  Result<std::string> Values(const std::vector<int>& clauses,
                             const std::vector<BoundExpressionPtr>* otherwise, size_t column) const;
  Result<std::string> Columns(const std::string& route, const std::vector<int>& clauses,
                              const std::vector<BoundExpressionPtr>* otherwise,
                              bool has_target) const;
  /// FROM clauses of rows with those clause numbers, joined with their source rows.
  std::string FromTarget(const std::string& scan, const std::vector<int>& clauses,
                         const std::string& tracked) const;
  std::string FromSource(const std::vector<int>& clauses) const;
  /// Clauses of that kind that act on rows.
  std::vector<int> Firing(RowRoute route) const;

  const BoundMerge& merge_;
  const MatchResult& match_;
  const std::vector<BoundColumn>& output_;
  const LoweringContext& lowering_;
  const RowExtras& extras_;
  ClauseNumbers numbers_;
};

}  // namespace merganser
