#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {

/// `scalar` as an engine value of the type that carries `type`. NULL of that type where the scalar
/// is NULL or does not fit.
duckdb::Value ToEngineValue(const Scalar& scalar, const DataType& type);

/// The other way round. Requires a value of the engine type that carries `type`, an atomic type.
Scalar FromEngineValue(const duckdb::Value& value, const DataType& type);

}  // namespace merganser::engine
