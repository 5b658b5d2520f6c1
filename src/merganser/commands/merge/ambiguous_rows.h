#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// Name target rows that several source rows hit: up to ten, by their columns in ON, each with the
/// number of source rows and the clauses that would fire. Reads the table `actions` as the match
/// phase leaves it; `scan` gives the files it is about. `harmless` is the SQL condition on a group
/// of such rows under which they are no error.
Result<std::string> DescribeAmbiguousRows(StatementContext& context, StatementScans& scans,
                                          const BoundMerge& merge, const std::string& scan,
                                          const std::string& harmless);

}  // namespace merganser
