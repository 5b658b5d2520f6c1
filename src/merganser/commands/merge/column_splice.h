#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/commands/merge/row_routes.h"
#include "merganser/commands/merge/touched_footers.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/commands/write_target.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/splice/data_file_footer.h"

namespace merganser {

/// A rewrite of the touched files in which updates give new values to a few columns and every other
/// column chunk is taken over as bytes.
struct ColumnSplice {
  struct File {
    std::shared_ptr<const engine::DataFileFooter> footer;
    std::vector<size_t> groups;  ///< Row groups with updated rows, ascending.
    DeletionVector rows;         ///< Their rows.
  };
  std::vector<size_t> columns;  ///< Positions in the table's schema of those with new values.
  std::vector<File> files;      ///< One a touched file.
  int64_t encoded_bytes = 0;    ///< About what has to be encoded.
  int64_t kept_bytes = 0;
};

/// The column splice for a rewrite, if it pays: at most half of the bytes of the row groups with
/// updated rows are of assigned columns. Nothing where rows are deleted, or were before; where rows
/// are tracked or go to the change feed as well, the schema changes, columns are mapped by id or
/// stored in another way than ours; and where a footer lacks statistics. Fails as
/// engine::DataFileFooter::Read.
Result<std::optional<ColumnSplice>> PlanColumnSplice(
    const BoundMerge& merge, const MatchResult& match, const RowSelect& select,
    const RowExtras& extras, const WriteTarget& target, TouchedFooters& footers);

/// Write the new files, one a touched file. Fails as engine::RunColumnSplice.
Result<std::vector<engine::WrittenFile>> WriteColumnSplice(
    StatementContext& context, StatementScans& scans, const BoundMerge& merge,
    const MatchResult& match, const RowSelect& select, const WriteTarget& target,
    const ColumnSplice& splice, UncommittedFiles& files);

}  // namespace merganser
