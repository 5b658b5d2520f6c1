#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_data.hpp>

#include "merganser/delta/deletion_vector/deletion_vector.h"

namespace merganser::engine {

/// Leaves out the deleted rows of one file and, if there is a selection, all rows outside of it.
/// Safe to use from several threads.
class RowFilter final : public duckdb::DeleteFilter {
 public:
  /// Either may be null.
  RowFilter(std::shared_ptr<const DeletionVector> deleted, const DeletionVector* selected);

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count,
                       duckdb::SelectionVector& selection) override;

 private:
  std::shared_ptr<const DeletionVector> deleted_;
  bool selects_ = false;
  std::vector<uint64_t> selected_;  // Ascending, the deleted ones taken out.
};

}  // namespace merganser::engine
