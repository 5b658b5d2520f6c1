#pragma once

#include <string_view>

#include <duckdb.hpp>

#include "merganser/engine/functions/rows.h"

namespace merganser::engine {

/// Writes rows of LIST(VARCHAR), in order.
class TextListResult {
 public:
  TextListResult(duckdb::Vector& result, bool constant)
      : vector_(result), rows_(result, constant) {}

  void Add(std::string_view text) {
    duckdb::ListVector::Reserve(vector_, size_ + 1);
    auto& child = duckdb::ListVector::GetEntry(vector_);
    duckdb::FlatVector::GetData<duckdb::string_t>(child)[size_++] =
        duckdb::StringVector::AddString(child, text.data(), text.size());
  }
  void AddNull() {
    duckdb::ListVector::Reserve(vector_, size_ + 1);
    duckdb::FlatVector::SetNull(duckdb::ListVector::GetEntry(vector_), size_++, true);
  }
  /// What was added since the last row is this row's list.
  void EndRow(duckdb::idx_t row) {
    rows_.data<duckdb::list_entry_t>()[row] = {begin_, size_ - begin_};
    begin_ = size_;
  }
  void NullRow(duckdb::idx_t row) {
    rows_.SetNull(row);
    rows_.data<duckdb::list_entry_t>()[row] = {begin_, 0};
  }
  void Finish() { duckdb::ListVector::SetListSize(vector_, size_); }

 private:
  duckdb::Vector& vector_;
  FlatResult rows_;
  duckdb::idx_t begin_ = 0;
  duckdb::idx_t size_ = 0;
};

/// f(cells..., lists) for every row without NULLs adds the row's texts; rows with NULLs are NULL.
template <typename... Args, typename F>
void MapRowsToTextLists(duckdb::DataChunk& arguments, duckdb::Vector& result, F f) {
  constexpr size_t kCount = sizeof...(Args);
  const duckdb::idx_t count = arguments.size();
  std::array<duckdb::UnifiedVectorFormat, kCount> columns;
  bool constant = true;
  for (size_t i = 0; i < kCount; ++i) {
    arguments.data[i].ToUnifiedFormat(count, columns[i]);
    constant = constant && arguments.data[i].GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
  }
  TextListResult lists(result, constant);
  const auto run = [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    for (duckdb::idx_t row = 0; row < (constant ? std::min<duckdb::idx_t>(count, 1) : count);
         ++row) {
      if (!(columns[kIndex].validity.RowIsValid(columns[kIndex].sel->get_index(row)) && ...)) {
        lists.NullRow(row);
        continue;
      }
      f(Cell<Args>::Read(columns[kIndex], columns[kIndex].sel->get_index(row))..., lists);
      lists.EndRow(row);
    }
  };
  run(std::index_sequence_for<Args...>());
  lists.Finish();
}

}  // namespace merganser::engine
