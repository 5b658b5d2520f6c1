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

/// SELECT of route and values for every row that the write phase looks at.
class RowSelect {
 public:
  /// `output` gives ids to the new values, one a column of the table's schema after the statement.
  RowSelect(const BoundMerge& merge, const std::vector<BoundColumn>& output,
            const LoweringContext& lowering, const RowExtras& extras);

  /// Rows of touched files. `scan` gives the files in their order; rows without an action are
  /// copied if `copies`, and dropped otherwise.
  Result<std::string> TargetRows(const std::string& scan, bool copies) const;
  /// Rows to insert.
  Result<std::string> InsertedRows() const;

 private:
  Result<std::string> Values(int begin, int end, const std::vector<BoundExpressionPtr>* otherwise,
                             size_t column) const;

  const BoundMerge& merge_;
  const std::vector<BoundColumn>& output_;
  const LoweringContext& lowering_;
  const RowExtras& extras_;
  ClauseNumbers numbers_;
};

}  // namespace merganser
