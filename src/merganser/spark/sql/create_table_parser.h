#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `CREATE [EXTERNAL] TABLE`, `CREATE OR REPLACE TABLE` or `REPLACE TABLE` at the cursor: a table
/// with columns, AS SELECT, LIKE or SHALLOW CLONE.
///
/// Fails with DUPLICATE_CLAUSES, SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED,
/// DELTA_OPERATION_NOT_ALLOWED, _LEGACY_ERROR_TEMP_0035 for columns beside AS SELECT.
Result<plan::Command> ParseCreateTable(TokenStream& in);

/// Does CREATE or REPLACE at the cursor make a table?
bool PeekCreateTable(const TokenStream& in);

}  // namespace merganser
