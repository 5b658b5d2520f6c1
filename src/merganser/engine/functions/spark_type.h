#pragma once

#include <optional>
#include <string_view>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// Read a Spark type as SQL writes it: "INT", "decimal(10,2)", "ARRAY<INT>", "MAP<STRING, INT>",
/// "STRUCT<a: INT, `b c`: STRING>", "INTERVAL DAY TO SECOND", "VARCHAR(3)", "VOID", "VARIANT".
///
/// A colon between name and type may be left out; NOT NULL makes a field not nullable; COMMENT,
/// COLLATE and their values are read over. nullopt for anything else.
std::optional<DataType> ParseSparkType(std::string_view text);

/// Read a schema as from_json takes it: a type, or fields without STRUCT<>: "a INT, b STRING".
std::optional<DataType> ParseSparkSchema(std::string_view text);

}  // namespace merganser::engine
