#pragma once

#include <memory>
#include <string>

#include "merganser/arrow/arrow_table.h"
#include "merganser/base/result.h"
#include "merganser/engine/connection.h"

namespace merganser::engine {

/// The column that numbers the rows of a local table from 0.
inline constexpr const char* kLocalRowNumber = "row";

/// Let statements on `connection` read `table`, without a copy, as the temporary view `name`, whose
/// columns are called c0, c1, ..., and kLocalRowNumber. The connection keeps the rows alive.
/// Intervals are read as they are carried: INTEGER months, BIGINT microseconds.
///
/// Requires a table with columns. Fails with UNSUPPORTED_ARROWTYPE for a layout that the engine
/// does not read.
Status AddLocalTable(Connection& connection, const std::string& name,
                     std::shared_ptr<const ArrowTable> table);

}  // namespace merganser::engine
