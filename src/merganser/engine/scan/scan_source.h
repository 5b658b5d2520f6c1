#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/scan/key_set.h"
#include "merganser/engine/scan/row_bitmap.h"

namespace merganser::engine {

/// One Parquet data file to read.
struct ScanFile {
  std::string path;         ///< Absolute path or URL, not percent-encoded.
  int64_t size = -1;        ///< Bytes; -1 if unknown.
  int64_t num_records = -1; ///< Physical rows; -1 if unknown.
  int64_t num_deleted = 0;  ///< Rows that `deleted_rows` will hide, for estimates.

  /// Values that hold for the whole file by physical column name, in the text form of partition
  /// values ("Partition Value Serialization" in PROTOCOL.md); no value is NULL. They win over a
  /// column of that name in the file. Partition columns, and extra columns such as
  /// `_commit_version` of the change feed.
  std::map<std::string, std::optional<std::string>> constants;

  std::string statistics;               ///< JSON text of the add action's `stats`; may be empty.
  RowBitmapLoader deleted_rows;         ///< Rows to leave out; empty if none.
  RowBitmapLoader selected_rows;        ///< If set, only these rows come out.
};

/// How columns of data files are found ("Column Mapping" in PROTOCOL.md).
enum class FieldMatch : uint8_t {
  kName,          ///< By the field's name, in any case.
  kPhysicalName,  ///< By `delta.columnMapping.physicalName`.
  kFieldId,       ///< By `delta.columnMapping.id`.
};

/// What `mg_scan` reads: files and the schema that their rows are given in.
///
/// A column that a file lacks is NULL; a file's narrower type is widened; nested fields match by the
/// same rule as columns. Timestamps without zone (INT96 included) count as UTC instants where the
/// schema says TIMESTAMP.
struct ScanSource {
  StructType schema;
  FieldMatch match = FieldMatch::kName;
  std::vector<ScanFile> files;  ///< Positions are the `file_index` values of the scan.
  std::map<std::string, KeySet> key_sets;  ///< By column name of `schema`, top level only.
};

}  // namespace merganser::engine
