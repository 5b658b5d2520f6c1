#pragma once

#include <cstdint>
#include <vector>

#include "merganser/arrow/batch.h"

namespace merganser {

/// Rows in memory with their Arrow schema, a struct of one child a column. Shared as const, it may
/// be read by any number of threads.
struct ArrowTable {
  ArrowSchemaOwner schema;
  std::vector<ArrowBatch> batches;

  int64_t num_rows() const {
    int64_t rows = 0;
    for (const ArrowBatch& batch : batches) rows += batch.num_rows();
    return rows;
  }
};

}  // namespace merganser
