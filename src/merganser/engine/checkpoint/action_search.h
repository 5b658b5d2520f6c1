#pragma once

#include <memory>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// The rows that hold an action in one of the columns `schema`, found by one field of each column:
/// cheaper than reading all fields of many rows, where few hold one. `slices` are pieces of one
/// file.
///
/// Null if the footer names no field that tells. Fails as scans do.
Result<std::shared_ptr<const DeletionVector>> FindActions(Connection& connection,
                                                          const std::vector<ScanFile>& slices,
                                                          const StructType& schema);

}  // namespace merganser::engine
