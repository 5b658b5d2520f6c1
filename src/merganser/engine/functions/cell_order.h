#pragma once

#include <vector>

#include <duckdb.hpp>

namespace merganser::engine {

/// Order of two cells of one type as Spark has it: NULL first, NaN last of numbers, -0.0 equal to
/// 0.0, text and binary by bytes, arrays and structs by their parts in order. Below zero, zero or
/// above.
int CompareCells(const duckdb::RecursiveUnifiedVectorFormat& a, duckdb::idx_t a_row,
                 const duckdb::RecursiveUnifiedVectorFormat& b, duckdb::idx_t b_row);

/// Rows of a vector under CompareCells' equality: finds the first row equal to a given one.
///
/// The vector's rows have to be known by their hashes, which the engine computes alike for rows
/// that are equal here.
class CellSet {
 public:
  /// `column` and `hashes` describe the rows that will be added or looked for; they must outlive
  /// this.
  CellSet(const duckdb::RecursiveUnifiedVectorFormat& column, const duckdb::hash_t* hashes)
      : column_(column), hashes_(hashes) {}

  /// Make room for `count` rows and forget all.
  void Reset(duckdb::idx_t count);
  /// Add a row; false if an equal one is there.
  bool Insert(duckdb::idx_t row);
  bool Contains(duckdb::idx_t row) const;

 private:
  size_t Slot(duckdb::idx_t row) const;

  const duckdb::RecursiveUnifiedVectorFormat& column_;
  const duckdb::hash_t* hashes_;
  std::vector<int64_t> slots_;
};

}  // namespace merganser::engine
