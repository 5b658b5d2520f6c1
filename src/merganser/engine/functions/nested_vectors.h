#pragma once

#include <utility>
#include <vector>

#include <duckdb.hpp>

namespace merganser::engine {

/// The lists (or maps) of a vector with the elements of its rows packed one after the other: NULL
/// rows and elements that no row refers to leave nothing behind.
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

/// Room for `count` more elements in a flat list or map vector; gives the place of the first.
duckdb::idx_t GrowList(duckdb::Vector& list, duckdb::idx_t count);

/// Set the children of a flat struct vector to NULL in the rows in which the struct is NULL.
void MaskStructChildren(duckdb::Vector& flat_struct, duckdb::idx_t count);

/// Elements of several vectors of one type, addressed as one sequence.
class ElementPool {
 public:
  explicit ElementPool(duckdb::LogicalType type) : type_(std::move(type)) {}
  /// Append the first `count` rows of `source`; gives the place of the first. `source` must outlive
  /// this.
  duckdb::idx_t Add(duckdb::Vector& source, duckdb::idx_t count);
  /// The elements at `places`, in that order; a negative place is NULL.
  duckdb::Vector Take(const std::vector<int64_t>& places);
  /// All elements as one vector.
  duckdb::Vector& All();
  duckdb::idx_t size() const { return size_; }

 private:
  struct Part {
    duckdb::Vector* source;
    duckdb::idx_t count;
  };
  duckdb::LogicalType type_;
  std::vector<Part> parts_;
  duckdb::idx_t size_ = 0;
  duckdb::unique_ptr<duckdb::Vector> all_;
};

/// The elements that the lists of one chunk of rows may have together: they are held outside of
/// what the engine spills, 2 GiB of numbers.
constexpr size_t kMostElements = size_t{1} << 28;

/// Throws duckdb::OutOfMemoryException for more than kMostElements.
inline void RequireElements(size_t count) {
  if (count > kMostElements) throw duckdb::OutOfMemoryException("lists of too many elements");
}

/// Writes rows of a list in order from places in a pool.
class ListPicks {
 public:
  explicit ListPicks(duckdb::idx_t rows) : entries_(rows), null_(rows) {}
  /// Throws duckdb::OutOfMemoryException when the lists of one chunk outgrow kMostElements.
  void Pick(int64_t place) {
    RequireElements(places_.size() + 1);
    places_.push_back(place);
  }
  void EndRow(duckdb::idx_t row) {
    entries_[row] = {begin_, places_.size() - begin_};
    begin_ = places_.size();
  }
  void NullRow(duckdb::idx_t row) {
    places_.resize(begin_);
    entries_[row] = {begin_, 0};
    null_[row] = true;
  }
  /// Fill `result`, which is constant if there is one row and `constant`.
  void Write(ElementPool& pool, duckdb::Vector& result, bool constant);

 private:
  std::vector<duckdb::list_entry_t> entries_;
  std::vector<bool> null_;
  std::vector<int64_t> places_;
  size_t begin_ = 0;
};

/// A vector of `type` with room for at least one row.
duckdb::Vector MakeVector(const duckdb::LogicalType& type, duckdb::idx_t count);

}  // namespace merganser::engine
