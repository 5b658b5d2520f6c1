#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// CONVERT TO DELTA: give a folder of Parquet files, or a Parquet table of the catalogue, a
/// transaction log. The files stay as they are. No effect on a Delta table.
///
/// Fails with DELTA_CONVERT_NON_PARQUET_TABLE, DELTA_MISSING_PROVIDER_FOR_CONVERT,
/// DELTA_UNEXPECTED_PARTITION_SCHEMA_FROM_USER, TABLE_OR_VIEW_NOT_FOUND, and as ReadForeignTable
/// and DefineTable.
Result<ResultSet> RunConvert(StatementContext& context, const plan::ConvertToDelta& command);

/// Columns of the answer that DeltaTable.convertToDelta gets.
StructType ConvertedSchema();

}  // namespace merganser
