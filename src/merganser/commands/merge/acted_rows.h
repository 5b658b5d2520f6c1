#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"

namespace merganser {

/// Rows of the candidate files as the table `actions` names them.
struct ActedRows {
  /// By candidate file: the rows that some clause acts on.
  std::vector<DeletionVector> acted;
  /// Does a target row occur more than once?
  bool has_duplicates = false;
};

/// Read the rows of `files` candidate files out of the table `actions`. Only `f`, `r` and `c` are
/// read; rows to insert are left out.
Result<ActedRows> ReadActedRows(StatementContext& context, size_t files);

}  // namespace merganser
