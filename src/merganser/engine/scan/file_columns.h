#pragma once

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_data.hpp>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// The schema of `source` as the engine's multi-file reader wants it. Every node, nested ones
/// included, has a number of its own as identifier.
///
/// The reader's own ways to match columns lose values of nested types under column mapping; numbers
/// given to both sides by us are the one way that holds for structs, lists and maps.
duckdb::vector<duckdb::MultiFileColumnDefinition> TableColumns(const ScanSource& source);

/// Give the columns of the file at `path` the numbers of the table columns that they hold.
///
/// Columns that the table does not have get numbers nobody asks for. Throws
/// FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH through the engine if a column's type cannot
/// be read as the table's.
void NumberFileColumns(const ScanSource& source,
                       const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
                       const duckdb::string& path,
                       duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns);

}  // namespace merganser::engine
