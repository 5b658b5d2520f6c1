#pragma once

#include <duckdb.hpp>

namespace merganser::engine {

/// The JSON texts (as VariantToJson makes them) of values of the engine's own VARIANT type, which
/// is what its Parquet reader makes of a column annotated as a variant, shredded or not. NULL stays
/// NULL. Throws MALFORMED_VARIANT for a value that Spark's variants cannot hold.
void EngineVariantsToJson(duckdb::Vector& variants, duckdb::idx_t count, duckdb::Vector& texts);

}  // namespace merganser::engine
