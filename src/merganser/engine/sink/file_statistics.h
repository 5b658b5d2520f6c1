#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// Statistics of one leaf column, array or map of a data file.
struct ColumnStatistic {
  std::vector<std::string> path;  ///< Physical names from the top-level column down.
  DataType type;
  int64_t null_count = 0;         ///< Rows in which the value or a struct around it is NULL.
  /// Smallest and largest value as JSON text in the form of `minValues` and `maxValues` ("Per-file
  /// Statistics" in PROTOCOL.md). Present for numbers, dates, timestamps and strings with a non-NULL
  /// value. Timestamps are in UTC and cut to milliseconds. NaN is the largest value of a float.
  std::optional<std::string> min_json;
  std::optional<std::string> max_json;
};

/// One entry a leaf, in schema order; arrays and maps are one entry.
using ColumnStatistics = std::vector<ColumnStatistic>;

/// The `stats` text of an add action for a file of `num_records` rows.
///
/// Holds the columns of `statistics` whose path `is_indexed` accepts; nested columns nest.
std::string StatisticsJson(int64_t num_records, const ColumnStatistics& statistics,
                           bool (*is_indexed)(const std::vector<std::string>& path));

}  // namespace merganser::engine
