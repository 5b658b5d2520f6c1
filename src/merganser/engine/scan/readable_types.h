#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// May a file's column of type `stored` be read as the table's `wanted`? Every value then has an
/// exact counterpart: equal types, integers and decimals that widen ("Type Widening" in
/// PROTOCOL.md), timestamps of any unit and zone, texts and bytes for each other. Of nested types
/// only the kind is compared; their parts are asked for one by one.
bool IsReadableAs(const duckdb::LogicalType& stored, const DataType& wanted);

}  // namespace merganser::engine
