#pragma once

#include <duckdb.hpp>

namespace merganser::engine {

/// Is there a FLOAT or DOUBLE at some level of `type`?
bool HoldsFloatingPoint(const duckdb::LogicalType& type);

/// Is -0.0 among the first `count` values, at any level? Flattens `values`. May say yes of a value
/// that a NULL hides.
bool HoldsNegativeZero(duckdb::Vector& values, duckdb::idx_t count);

}  // namespace merganser::engine
