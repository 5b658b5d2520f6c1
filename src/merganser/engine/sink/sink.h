#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/sink/file_statistics.h"

namespace merganser::engine {

/// A kind of file that a sink writes: data files of a table, or its change files.
struct SinkFamily {
  /// Logical columns of a row, partition columns included. Field metadata carries the physical
  /// names and ids under column mapping; a field without them is written under its own name.
  StructType schema;
  std::vector<std::string> partition_columns;  ///< Names in `schema`; their values are not stored in the file.
  std::string directory;                       ///< Below `SinkSpec::root`: "" or "_change_data".
  bool write_partition_columns = false;        ///< Store partition columns in the file as well.
  /// Put files into folders of this many random characters instead of `column=value` folders.
  int random_prefix_length = 0;
  std::string file_prefix = "part";            ///< "part" or "cdc".
};

/// Where one column of a family's rows comes from.
struct SinkColumn {
  int input = -1;                       ///< Position in the SELECT, the route column not counted.
  std::optional<std::string> constant;  ///< Used if `input` is -1: a text, or NULL without value.
};

/// One row written for each input row of a route.
struct SinkOutput {
  size_t family = 0;
  /// One entry a column of the family's schema; empty takes the first inputs in order.
  std::vector<SinkColumn> columns;
};

/// What happens to input rows of one route number.
struct SinkRoute {
  std::vector<SinkOutput> outputs;  ///< None counts the rows and drops them.
};

/// What to write and where.
struct SinkSpec {
  std::string root;                  ///< Table folder.
  std::vector<SinkFamily> families;
  std::vector<SinkRoute> routes;     ///< By route number.
  int64_t target_file_bytes = 128 << 20;
  int64_t row_group_rows = 122880;
  std::string compression = "snappy";
  /// Open writers a thread may hold; more partitions close the one that has been idle longest.
  int max_open_writers = 32;
};

/// A finished data file. It has been synced to disk.
struct WrittenFile {
  size_t family = 0;
  std::string path;           ///< Relative to the root, as the log wants it before URL-encoding.
  std::string absolute_path;
  int64_t size = 0;           ///< Bytes.
  int64_t num_records = 0;
  /// By physical column name, in the text form of partition values; no value is NULL.
  std::map<std::string, std::optional<std::string>> partition_values;
  ColumnStatistics statistics;  ///< Of the leaf columns stored in the file.
};

/// What a sink did.
struct SinkResult {
  std::vector<WrittenFile> files;
  std::vector<int64_t> route_rows;  ///< Input rows by route number.
};

/// Paths that a sink has created so far. Outlives the statement, so that a failed one can be undone.
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
/// columns of the types of the families' schemas. Rows of a partitioned family should come clustered
/// by partition when there are many partitions, else files get small. Row order is kept within
/// nothing.
///
/// Every path is added to `created` before the file exists. On failure the files stay, for the
/// caller to delete; they were never referenced. Fails as Connection's statements do, plus kIo.
Result<SinkResult> RunSink(Connection& connection, const std::string& select_sql,
                           const SinkSpec& spec, CreatedFiles& created);

}  // namespace merganser::engine
