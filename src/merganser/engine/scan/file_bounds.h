#pragma once

#include <optional>
#include <vector>

#include "merganser/delta/protocol/statistics.h"
#include "merganser/engine/scan/column_bounds.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// A leaf of the schema by position: the column, then the fields below it.
struct SchemaLeaf {
  FieldPath physical_path;
  DataType type;
};

/// The leaf that `column` and `fields` lead to; nothing if that is no leaf or has no statistics.
std::optional<SchemaLeaf> FindLeaf(const ScanSource& source, size_t column,
                                   const std::vector<duckdb::idx_t>& fields);

/// What the statistics in the log say about a leaf of one file.
ColumnBounds BoundsFromStatistics(const ScanFile& file, const SchemaLeaf& leaf);

}  // namespace merganser::engine
