#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// EXPLAIN MERGE: what the statement would read, join and write, as text. The source is evaluated
/// and joined, so that the counts are real; nothing is written. With `analyze` the statement runs
/// to its commit, and the text ends with what it did and how long that took.
///
/// Fails as the statement does.
Result<std::string> ExplainMerge(StatementContext& context, const plan::MergeInto& command,
                                 bool analyze);

}  // namespace merganser
