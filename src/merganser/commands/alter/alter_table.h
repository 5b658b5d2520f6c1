#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// ALTER TABLE and ALTER VIEW: one commit a statement, except RENAME, which only the catalogue
/// sees.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, EXPECT_TABLE_NOT_VIEW.*, DELTA_TABLE_ONLY_OPERATION, and the
/// classes of the changes.
Result<ResultSet> RunAlterTable(StatementContext& context, const plan::AlterTable& command);

/// COMMENT ON TABLE and SCHEMA. Fails with TABLE_OR_VIEW_NOT_FOUND, SCHEMA_NOT_FOUND.
Result<ResultSet> RunCommentOn(StatementContext& context, const plan::CommentOn& command);

}  // namespace merganser
