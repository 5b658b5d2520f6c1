#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// The engine's type for values of `type`; EngineTypeSql says which.
duckdb::LogicalType ToLogicalType(const DataType& type);

/// The Spark type that holds the values of an engine type. Engine types without a Spark one of the
/// same range (unsigned, HUGEINT, TIME, ...) give the next wider number or STRING; enumerations are
/// STRING, INTERVAL is a calendar interval, an untyped NULL is VOID.
DataType FromLogicalType(const duckdb::LogicalType& type);

}  // namespace merganser::engine
