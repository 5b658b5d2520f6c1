#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/csv_text.h"
#include "merganser/engine/functions/json_values.h"

namespace merganser::engine {

/// Set row `row` of `out`, whose type carries `type`, to the value of a CSV field; false if it does
/// not fit the type, which gives NULL. `tape` is room for values that are read as JSON.
bool WriteCsvValue(const DataType& type, const CsvField& field, const TextFormatOptions& options,
                   duckdb::Vector& out, duckdb::idx_t row);

/// The fields that a CSV row has for the columns of a schema, in order: all but the column for rows
/// that do not fit.
std::vector<size_t> CsvColumns(const DataType& schema, const TextFormatOptions& options);

}  // namespace merganser::engine
