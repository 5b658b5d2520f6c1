#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// The local Parquet file at `path` in pieces to be scanned at once: enough of them to keep
/// `threads` busy, for the engine itself cuts no row group. What the footer knows to be NULL in all
/// columns of `schema` is left out, which may be everything.
///
/// A file without a good footer is one piece; what is wrong with it is said by the scan.
std::vector<ScanFile> CheckpointSlices(const std::string& path, const StructType& schema,
                                       size_t threads);

}  // namespace merganser::engine
