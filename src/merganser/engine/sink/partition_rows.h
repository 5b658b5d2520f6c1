#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <duckdb.hpp>

namespace merganser::engine {

/// Groups the rows of a chunk by the values of some columns.
class PartitionRows {
 public:
  struct Group {
    std::string key;  ///< The same for equal values of any chunk.
    duckdb::idx_t first_row = 0;
    std::vector<duckdb::sel_t> rows;
  };

  /// `columns` are positions in `chunk`. Groups come in order of their first row.
  static std::vector<Group> Split(duckdb::DataChunk& chunk, const std::vector<size_t>& columns);
};

}  // namespace merganser::engine
