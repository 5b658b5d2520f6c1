#pragma once

#include <duckdb.hpp>
#include <duckdb/function/partition_stats.hpp>

#include "merganser/engine/scan/file_list.h"

namespace merganser::engine {

/// What the log says of the rows of all files of a list together, so that the engine answers MIN
/// and MAX, and counts under conditions that all rows satisfy, without reading one.
class ListStatistics final : public duckdb::PartitionRowGroup {
 public:
  explicit ListStatistics(const ScanFileList& files) : files_(files) {}

  /// Smallest and largest value of a column of integers or dates, and whether some are NULL. Null
  /// if a file does not say, or only encloses its values: text and timestamps are cut, the bounds
  /// of floating-point numbers leave out NaN, and those of deleted rows stay unless the log says
  /// otherwise ("Per-file Statistics" in PROTOCOL.md).
  duckdb::unique_ptr<duckdb::BaseStatistics> GetColumnStatistics(
      const duckdb::StorageIndex& storage_index) override;
  bool MinMaxIsExact(const duckdb::BaseStatistics& statistics,
                     const duckdb::StorageIndex& storage_index) override;

 private:
  const ScanFileList& files_;
};

}  // namespace merganser::engine
