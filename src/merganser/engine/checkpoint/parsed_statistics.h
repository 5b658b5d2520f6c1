#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/delta/protocol/statistics.h"
#include "merganser/engine/checkpoint/vector_column.h"

namespace merganser::engine {

/// Reads the column `add.stats_parsed`.
class ParsedStatistics {
 public:
  /// Refers to both; `parsed` may be null, which is a column of NULLs.
  ParsedStatistics(const VectorColumn* parsed, const std::vector<StatisticsColumn>& columns);

  /// The JSON text of the statistics in a row; nothing if it is NULL.
  std::optional<std::string> Text(duckdb::idx_t row) const;

 private:
  /// The columns from the root to a field; empty if there is no such field.
  using Chain = std::vector<const VectorColumn*>;
  struct Leaf {
    Chain min;
    Chain max;
    Chain null_count;
  };
  Chain Find(const FieldPath& path) const;
  Chain Find(const char* group, const FieldPath& path) const;

  const VectorColumn* parsed_;
  const std::vector<StatisticsColumn>& columns_;
  Chain num_records_;
  Chain tight_bounds_;
  std::vector<Leaf> leaves_;  // One a column.
};

}  // namespace merganser::engine
