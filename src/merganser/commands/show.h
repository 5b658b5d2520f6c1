#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// SHOW TABLES, SCHEMAS, CATALOGS, VIEWS, COLUMNS, PARTITIONS, TBLPROPERTIES, CREATE TABLE,
/// FUNCTIONS: columns as Spark gives them. Patterns match as in Spark: `*` is any text, `|`
/// separates alternatives.
///
/// Fails with SCHEMA_NOT_FOUND, TABLE_OR_VIEW_NOT_FOUND,
/// DELTA_SHOW_PARTITION_IN_NON_PARTITIONED_TABLE.
Result<ResultSet> RunShow(StatementContext& context, const plan::Show& command);

}  // namespace merganser
