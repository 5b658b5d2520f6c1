#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/delta/transaction/transaction.h"

namespace merganser {

/// Commit a statement's transaction. `files` (may be null), which were written for it, stay or go
/// with the outcome; the session reads the new version from then on. Fails as Transaction::Commit.
Result<CommitResult> CommitStatement(StatementContext& context, Transaction transaction,
                                     Operation operation, UncommittedFiles* files = nullptr);

/// `names` as a JSON list, the form of parameters such as `partitionBy`.
std::string JsonList(const std::vector<std::string>& names);

}  // namespace merganser
