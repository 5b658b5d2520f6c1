#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"
#include "merganser/io/file_system.h"

namespace merganser::engine {

/// A kind of file that a sink writes: data files of a table, or its change files.
struct SinkFamily {
  /// Logical columns of a row, partition columns included, with the ids and physical names of
  /// column mapping in their metadata.
  StructType schema;
  ColumnMappingMode column_mapping = ColumnMappingMode::kNone;
  std::vector<std::string> partition_columns = {};  ///< Names in `schema`.
  bool write_partition_columns = false;  ///< Store partition columns in the files as well.
  std::string directory = {};            ///< Below the table's folder: "" or "_change_data".
  /// Put each file into a folder of that many random characters instead of `column=value` folders.
  int random_prefix_length = 0;
  std::string file_prefix = "part";               ///< "part" or "cdc".
  std::vector<StatisticsColumn> statistics = {};  ///< Leaves to report, by physical path.
};

/// Where one column of a family's rows comes from.
struct SinkColumn {
  int input = -1;  ///< Position in the SELECT, the route column not counted.
  std::optional<std::string> constant = {};  ///< Where `input` is -1: a text; NULL without value.
};

/// One row written for each input row of a route.
struct SinkOutput {
  size_t family = 0;
  /// One entry a column of the family's schema; empty takes the first inputs in order.
  std::vector<SinkColumn> columns = {};
};

/// What happens to input rows of one route number.
struct SinkRoute {
  std::vector<SinkOutput> outputs = {};  ///< None counts the rows and drops them.
};

/// What to write and where.
struct SinkSpec {
  std::string root;                         ///< The table's folder, a plain path.
  std::shared_ptr<FileSystem> file_system;  ///< Holds the root; makes folders and syncs files.
  std::vector<SinkFamily> families;
  std::vector<SinkRoute> routes;  ///< By route number.
  int64_t target_file_bytes = 128 << 20;
  int64_t row_group_rows = 122880;
  int64_t max_file_rows = 0;  ///< Most rows of a file; 0 sets no limit.
  std::string compression =
      "snappy";  ///< "snappy", "zstd", "gzip", "lz4_raw", "brotli" or "uncompressed".
  /// Writers a thread may hold open; one partition more closes the one idle for longest.
  int max_open_writers = 16;
};

/// A finished data file.
struct WrittenFile {
  size_t family = 0;
  std::string path;  ///< Relative to the root, not percent-encoded (see EncodeDataPath).
  std::string absolute_path;
  int64_t size = 0;  ///< Bytes.
  int64_t num_records = 0;
  PartitionValues partition_values;  ///< By physical name, in the order of the partition columns.
  FileStatistics statistics;         ///< `num_records` and the leaves that the family asks for.
};

/// What a sink did.
struct SinkResult {
  std::vector<WrittenFile> files;
  std::vector<int64_t> route_rows;  ///< Input rows by route number.
};

/// Paths that a sink has created so far. Outlives the statement, so that a failed one can be
/// undone. Thread-safe.
class CreatedFiles {
 public:
  void Add(std::string absolute_path);
  std::vector<std::string> Paths() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> paths_;
};

/// Run `select_sql` and write its rows as Parquet files.
///
/// The SELECT's first column is INTEGER, the route of the row (NULL drops it); the others are data
/// columns. Each must have the type of the family column it goes to. Rows of a partitioned family
/// should come clustered by partition when there are many, else files get small. Rows keep no
/// order.
///
/// The files are complete and durable when this returns. Every path is added to `created` before
/// the file exists; on failure the files stay, for the caller to delete. Fails as Connection's
/// statements do, and with FILE_SYSTEM_ERROR.
Result<SinkResult> RunSink(Connection& connection, const std::string& select_sql,
                           const SinkSpec& spec, CreatedFiles& created);

}  // namespace merganser::engine
