#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/scan/key_set.h"

namespace merganser::engine {

/// Loads a set of rows when its file is opened, so that files pruned away cost nothing. Must be
/// safe to call from any thread.
using RowSetLoader = std::function<Result<std::shared_ptr<const DeletionVector>>()>;

/// One Parquet data file to read.
struct ScanFile {
  std::string path;          ///< Plain absolute path or URI (DataFilePath of the action's path).
  int64_t size = -1;         ///< Bytes; -1 if unknown.
  int64_t num_records = -1;  ///< Physical rows; -1 if unknown.
  int64_t num_deleted = 0;   ///< Rows that `deleted_rows` hides, for estimates.

  /// Values that hold for the whole file, by physical column name, in the log's text form. They win
  /// over a column of that name in the file. Partition columns, and extra columns of the schema
  /// such as `_commit_version` of the change feed.
  PartitionValues constants = {};

  /// Value of `file_index` for its rows; -1 takes the file's position.
  int64_t number = -1;

  std::string statistics = {};      ///< JSON text of the action's `stats`; may be empty.
  RowSetLoader deleted_rows = {};   ///< Rows to leave out; none if empty.
  RowSetLoader selected_rows = {};  ///< If set, only these rows come out.
};

/// What `mg_scan` reads: files and the schema that their rows are given in.
///
/// A column that a file lacks is NULL; a narrower type in a file is widened; nested fields match by
/// the same rule as columns. Timestamps without zone (INT96 included) count as UTC instants where
/// the schema says TIMESTAMP.
struct ScanSource {
  StructType schema;
  ColumnMappingMode column_mapping = ColumnMappingMode::kNone;
  std::vector<ScanFile> files;
  /// The `file_index` of the rows of the file at `position`.
  uint64_t FileNumber(size_t position) const {
    const int64_t number = files[position].number;
    return number < 0 ? position : static_cast<uint64_t>(number);
  }

  /// Values of interest by column name of `schema`, top level only; prunes row groups.
  std::map<std::string, KeySet> key_sets = {};
};

}  // namespace merganser::engine
