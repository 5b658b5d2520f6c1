#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// The name an atomic type has in a schema: "long", "decimal(10,2)", "timestamp_ntz".
std::string TypeName(const DataType& type);

/// Read such a name; the names that CatalogString gives ("bigint") are understood too.
///
/// Fails with DELTA_GEOSPATIAL_NOT_SUPPORTED for GEOMETRY and GEOGRAPHY, INVALID_JSON_DATA_TYPE for
/// any other name that this build does not know.
Result<DataType> ParseTypeName(std::string_view name);

}  // namespace merganser
