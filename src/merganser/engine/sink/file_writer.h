#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <duckdb.hpp>
#include <duckdb/function/copy_function.hpp>

#include "merganser/engine/sink/file_layout.h"
#include "merganser/engine/sink/statistics_collector.h"

namespace merganser::engine {

/// Rows waiting to become a row group, and their statistics.
struct RowGroupBuffer {
  /// `nothing` is the statistics of no rows.
  RowGroupBuffer(duckdb::ClientContext& context, const FileLayout& layout,
                 const StatisticsCollector& nothing);

  void Append(duckdb::DataChunk& rows);
  /// Take over the rows of `other`, which is empty afterwards.
  void Combine(RowGroupBuffer& other);
  int64_t num_rows() const { return static_cast<int64_t>(rows->Count()); }
  uint64_t num_bytes() const { return rows->SizeInBytes(); }

  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
  StatisticsCollector statistics;
  bool has_negative_zero = false;
};

/// One Parquet file being written. Row groups may be encoded by several threads at once; they are
/// appended one at a time.
class FileWriter {
 public:
  /// Creates the file.
  FileWriter(duckdb::ClientContext& context, const FileLayout& layout,
             const StatisticsCollector& nothing, std::string path);

  const std::string& path() const { return path_; }
  /// Encode `buffer` and append it.
  void WriteRowGroup(duckdb::ClientContext& context, RowGroupBuffer buffer);
  /// Has the file grown beyond `bytes`?
  bool IsLargerThan(int64_t bytes);
  /// Write the footer. Requires that no thread is writing.
  void Finish(duckdb::ClientContext& context);
  /// Requires Finish.
  FileStatistics statistics() const { return statistics_.Finish(); }

 private:
  const FileLayout& layout_;
  std::string path_;
  std::mutex mutex_;
  duckdb::unique_ptr<duckdb::GlobalFunctionData> state_;
  StatisticsCollector statistics_;
};

}  // namespace merganser::engine
