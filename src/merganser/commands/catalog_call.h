#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// A call of spark.catalog: lists of what there is, one entry by name, or a single `value`.
///
/// Fails with TABLE_OR_VIEW_NOT_FOUND, SCHEMA_NOT_FOUND and UNRESOLVED_ROUTINE for an entry that is
/// asked for by name and does not exist.
Result<ResultSet> RunCatalogCall(StatementContext& context, const plan::CatalogCall& command);

/// DeltaTable.isDeltaTable.
Result<ResultSet> RunIsDeltaTable(StatementContext& context, const plan::IsDeltaTable& command);

}  // namespace merganser
