#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/table_destination.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// Tables whose data files are Parquet, CSV, JSON or text without a transaction log: a record in
/// the catalogue and a folder.

/// CREATE TABLE ... USING parquet, csv, json or text, with or without AS SELECT.
/// Fails with DATA_SOURCE_NOT_FOUND for another format, UNABLE_TO_INFER_SCHEMA,
/// UNSUPPORTED_FEATURE.TABLE_OPERATION (REPLACE), LOCATION_ALREADY_EXISTS,
/// ALL_PARTITION_COLUMNS_NOT_ALLOWED, and the classes of the query.
Result<ResultSet> CreateFileTable(StatementContext& context, Analyzer& analyzer,
                                  const plan::CreateTable& command, const std::string& format,
                                  const TableDestination& destination);

/// INSERT INTO or OVERWRITE such a table. Fails with the classes of insert columns and of the
/// query.
Status InsertIntoFiles(StatementContext& context, Analyzer& analyzer,
                       const plan::InsertInto& command, const CatalogTable& table);

/// Write the rows of a query as files of `format` into a folder; `command` says which, and what
/// becomes of what is there. Fails with DATA_SOURCE_NOT_FOUND, PATH_ALREADY_EXISTS and the classes
/// of the query.
Status SaveFiles(StatementContext& context, const plan::Write& command, const std::string& format);

/// TRUNCATE such a table: its data files are deleted.
Status TruncateFiles(const CatalogTable& table);

}  // namespace merganser
