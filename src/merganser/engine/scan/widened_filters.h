#pragma once

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_data.hpp>
#include <duckdb/planner/table_filter.hpp>

namespace merganser::engine {

/// `filters` in a form that holds for a file whose columns have other types than the table's.
///
/// The engine's reader converts a filter's constants to the file's type, which rounds them where
/// that type is coarser (FLOAT below DOUBLE, INTEGER below DECIMAL), and it does not know how to
/// convert Bloom filters. On such columns this drops filters that are only hints and makes the
/// others expressions over the converted column.
///
/// Keys of `filters` are positions in `column_ids`, whose entries number `table_columns`. Columns
/// of the file carry the numbers of NumberFileColumns.
duckdb::unique_ptr<duckdb::TableFilterSet> FitFilters(
    const duckdb::TableFilterSet& filters, const duckdb::vector<duckdb::ColumnIndex>& column_ids,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns);

}  // namespace merganser::engine
