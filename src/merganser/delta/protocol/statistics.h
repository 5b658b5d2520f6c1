#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser {

/// Names from the root to a field; physical names in statistics.
using FieldPath = std::vector<std::string>;

/// Bounds and nulls of one leaf column in one file.
struct ColumnStatistics {
  FieldPath path;
  std::optional<Scalar> min;  ///< Not NULL when present.
  std::optional<Scalar> max;
  std::optional<int64_t> null_count;

  bool operator==(const ColumnStatistics& other) const = default;
};

/// What is known of a file's rows ("Per-file Statistics" in PROTOCOL.md).
struct FileStatistics {
  std::optional<int64_t> num_records;
  /// Bounds are values of the file; if false they only enclose them. True when the log says nothing.
  std::optional<bool> tight_bounds;
  std::vector<ColumnStatistics> columns;  ///< Leaves, in schema order.

  bool is_tight() const { return tight_bounds.value_or(true); }
  const ColumnStatistics* Find(const FieldPath& path) const;

  bool operator==(const FileStatistics& other) const = default;
};

/// A leaf column that gets statistics.
struct StatisticsColumn {
  FieldPath path;  ///< Physical names.
  DataType type;
  bool has_bounds = true;  ///< False where only nulls are counted: booleans, binary, arrays, maps, ...
};

/// The columns of which Delta collects statistics: those of delta.dataSkippingStatsColumns, else the
/// first delta.dataSkippingNumIndexedCols leaves; never partition columns.
std::vector<StatisticsColumn> StatisticsColumns(const StructType& schema, const std::vector<std::string>& partition_columns,
                                                const TableProperties& properties);

/// Read the statistics of an add action. Only `columns` are read: leaves that are not asked for cost
/// nothing; a bound of the wrong type is dropped. Nothing if `json` is no JSON object.
std::optional<FileStatistics> ParseStatistics(std::string_view json, const std::vector<StatisticsColumn>& columns);

/// Number of records alone; nothing if the text does not say.
std::optional<int64_t> ParseNumRecords(std::string_view json);

/// The statistics as Delta writes them: `numRecords`, `minValues`, `maxValues`, `nullCount`,
/// `tightBounds` where set; strings cut by TruncateMinimum and TruncateMaximum, timestamps in
/// milliseconds (the maximum rounded up), NaN and infinite bounds left out.
std::string ToJson(const FileStatistics& statistics);

/// Longest string bound, in code points.
inline constexpr int kStatisticsStringPrefix = 32;

/// The first 32 code points: not above any string that starts so.
std::string TruncateMinimum(std::string_view value);
/// Not below `value` and at most a few code points longer than 32; nothing if there is no such text.
std::optional<std::string> TruncateMaximum(std::string_view value);

}  // namespace merganser
