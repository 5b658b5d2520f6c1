#pragma once

#include <duckdb.hpp>
#include <vector>

namespace merganser::engine {

/// The lists (or maps) of a vector with the elements of its rows packed one after the other: NULL rows
/// and elements that no row refers to leave nothing behind.
class CompactLists {
 public:
  CompactLists(duckdb::Vector& source, duckdb::idx_t count);

  bool constant() const { return constant_; }
  /// Rows that entry() knows: one for a constant vector.
  duckdb::idx_t rows() const { return entries_.size(); }
  bool IsNull(duckdb::idx_t row) const { return null_[row]; }
  /// Place of row's elements within child().
  const duckdb::list_entry_t& entry(duckdb::idx_t row) const { return entries_[row]; }
  duckdb::Vector& child() { return child_; }
  duckdb::idx_t child_count() const { return child_count_; }

  /// Give `result` the same rows; its child has to be set with SetListChild.
  void WriteEntries(duckdb::Vector& result) const;

 private:
  bool constant_;
  std::vector<duckdb::list_entry_t> entries_;
  std::vector<bool> null_;
  duckdb::Vector child_;
  duckdb::idx_t child_count_ = 0;
};

/// Make `child`, of which `count` rows count, the child of the list or map vector `result`.
void SetListChild(duckdb::Vector& result, duckdb::Vector child, duckdb::idx_t count);

/// Set the children of a flat struct vector to NULL in the rows in which the struct is NULL.
void MaskStructChildren(duckdb::Vector& flat_struct, duckdb::idx_t count);

/// A vector of `type` with room for at least one row.
duckdb::Vector MakeVector(const duckdb::LogicalType& type, duckdb::idx_t count);

}  // namespace merganser::engine
