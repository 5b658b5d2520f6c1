#pragma once

#include <memory>
#include <string>

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// How CAST(... AS STRING) writes values.
struct TextStyle {
  std::shared_ptr<const TimeZone> zone;
  /// Decimals without exponent: all but the legacy mode.
  bool plain_decimals = true;
};

/// Append the text of row `row` of an unnested or nested column of Spark type `type`; a NULL at any
/// depth is "null".
void AppendCellText(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                    duckdb::idx_t row, const TextStyle& style, std::string* out);

}  // namespace merganser::engine
