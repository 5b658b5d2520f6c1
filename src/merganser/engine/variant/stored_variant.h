#pragma once

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// `type` as data files hold it: variants, at any depth, are structs of two byte strings ("Variant
/// Data Type" in PROTOCOL.md).
DataType StoredForm(const DataType& type);

/// Turn `values`, in which variants are their JSON texts, into `stored`, an empty vector of the
/// stored form. What holds no variants is shared. `values` is flattened where it does.
void StoreVariants(const DataType& type, duckdb::Vector& values, duckdb::idx_t count,
                   duckdb::Vector& stored);

}  // namespace merganser::engine
