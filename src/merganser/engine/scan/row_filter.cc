#include "merganser/engine/scan/row_filter.h"

#include <algorithm>
#include <utility>

namespace merganser::engine {

RowFilter::RowFilter(std::shared_ptr<const DeletionVector> deleted, const DeletionVector* selected)
    : deleted_(std::move(deleted)) {
  if (selected == nullptr) return;
  selects_ = true;
  DeletionVector live = *selected;
  if (deleted_) live.Subtract(*deleted_);
  selected_ = live.Rows();
}

duckdb::idx_t RowFilter::Filter(duckdb::row_t start, duckdb::idx_t count,
                                duckdb::SelectionVector& selection) {
  selection.Initialize(STANDARD_VECTOR_SIZE);
  const auto begin = static_cast<uint64_t>(start);
  if (!selects_) return deleted_->SelectLive(begin, static_cast<uint32_t>(count), selection.data());
  duckdb::idx_t kept = 0;
  for (auto row = std::lower_bound(selected_.begin(), selected_.end(), begin);
       row != selected_.end() && *row < begin + count; ++row) {
    selection.set_index(kept++, *row - begin);
  }
  return kept;
}

}  // namespace merganser::engine
