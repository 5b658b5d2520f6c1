#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <duckdb.hpp>

#include "merganser/delta/protocol/statistics.h"

namespace merganser::engine {

/// Bounds and null counts of one leaf column, gathered vector by vector.
class LeafStatistics {
 public:
  explicit LeafStatistics(DataType type, bool has_bounds)
      : type_(std::move(type)), has_bounds_(has_bounds) {}

  /// Take in `count` rows. `ancestors` are the structs around the leaf, flat, outermost first; a
  /// row in which one of them is NULL counts as NULL.
  void Update(duckdb::Vector& values, duckdb::idx_t count,
              const std::vector<duckdb::Vector*>& ancestors);
  void Merge(const LeafStatistics& other);
  /// Everything but the path.
  ColumnStatistics Finish() const;

 private:
  template <typename T, typename Less, typename Add>
  void AddBounds(duckdb::Vector& values, duckdb::idx_t count,
                 const std::vector<duckdb::Vector*>& ancestors, Less less, Add add);
  void CountNulls(duckdb::Vector& values, duckdb::idx_t count,
                  const std::vector<duckdb::Vector*>& ancestors);
  void AddInteger(Int128 value);
  void AddDouble(double value);
  void AddText(duckdb::string_t value);
  Scalar ToScalar(Int128 integer, double real, const std::string& text) const;

  DataType type_;
  bool has_bounds_;
  bool any_ = false;
  int64_t null_count_ = 0;
  Int128 min_integer_ = 0;
  Int128 max_integer_ = 0;
  double min_double_ = 0;
  double max_double_ = 0;
  std::string min_text_;
  std::string max_text_;
};

/// Statistics of the rows of one data file, or of a part of it.
class StatisticsCollector {
 public:
  /// `schema` has physical names and describes the chunks given to Update; columns of which none is
  /// there are left out.
  StatisticsCollector(const StructType& schema, const std::vector<StatisticsColumn>& columns);

  void Update(duckdb::DataChunk& rows);
  void Merge(const StatisticsCollector& other);
  FileStatistics Finish() const;
  int64_t num_records() const { return num_records_; }

 private:
  struct Leaf {
    FieldPath path;
    std::vector<size_t> positions;  // In the chunk, then in each struct.
    LeafStatistics statistics;
  };

  int64_t num_records_ = 0;
  std::vector<Leaf> leaves_;
};

}  // namespace merganser::engine
