#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser::engine {

/// The JSON text of a variant as data files store it: `metadata` (the member names) and `value`
/// ("Variant Binary Encoding" of Apache Parquet).
///
/// Members come sorted by name, decimals with their scale, dates and timestamps as text
/// ("2024-01-31 10:20:30.000001+00:00"), binary in base 64. Nothing if the bytes are no variant.
std::optional<std::string> VariantToJson(std::string_view metadata, std::string_view value);

}  // namespace merganser::engine
