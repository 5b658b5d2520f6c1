#pragma once

#include <optional>
#include <string>

#include <duckdb.hpp>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// The value of `field` in every row of `file`, if its constants hold one. Throws through the
/// engine if the text is not of the field's type.
std::optional<duckdb::Value> ConstantOf(const ScanSource& source, const ScanFile& file,
                                        const StructField& field);

}  // namespace merganser::engine
