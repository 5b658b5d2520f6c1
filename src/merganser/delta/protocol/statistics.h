#pragma once

#include <cstdint>
#include <memory>
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
  FieldPath path = {};
  std::optional<Scalar> min = {};  ///< Not NULL when present.
  std::optional<Scalar> max = {};
  std::optional<int64_t> null_count = {};

  bool operator==(const ColumnStatistics& other) const = default;
};

/// What is known of a file's rows ("Per-file Statistics" in PROTOCOL.md).
struct FileStatistics {
  std::optional<int64_t> num_records = {};
  /// Bounds are values of the file; if false they only enclose them. True when the log says
  /// nothing.
  std::optional<bool> tight_bounds = {};
  std::vector<ColumnStatistics> columns = {};  ///< Leaves, in schema order.

  bool is_tight() const { return tight_bounds.value_or(true); }
  /// The entry of a column, null if there is none.
  const ColumnStatistics* Find(const FieldPath& path) const;

  bool operator==(const FileStatistics& other) const = default;
};

/// A leaf column that gets statistics.
struct StatisticsColumn {
  FieldPath path = {};  ///< Physical names.
  DataType type = {};
  bool has_bounds =
      true;  ///< False where only nulls are counted: booleans, binary, arrays, maps, ...
};

/// The columns of which Delta collects statistics: those of delta.dataSkippingStatsColumns, else
/// the first delta.dataSkippingNumIndexedCols leaves; never partition columns. `schema` is the
/// logical one.
std::vector<StatisticsColumn> StatisticsColumns(const StructType& schema,
                                                const std::vector<std::string>& partition_columns,
                                                const TableProperties& properties);

/// Reads the statistics of many files; keeps its buffers between them. Not for two threads at once.
class StatisticsReader {
 public:
  /// Only `columns` are read: leaves that are not asked for cost nothing.
  explicit StatisticsReader(std::vector<StatisticsColumn> columns);
  ~StatisticsReader();
  StatisticsReader(StatisticsReader&&) noexcept;

  /// Read the `stats` of an add action: one entry a column, in the order given, empty where the
  /// text says nothing. A bound of the wrong type is dropped. The maximum of a timestamp, cut to
  /// milliseconds in the log, is raised so that it encloses what was cut.
  ///
  /// False if `json` is no JSON object. `statistics` stays valid until the next call.
  bool Read(std::string_view json, FileStatistics* statistics);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The statistics of one file: see StatisticsReader. Nothing if `json` is no JSON object. Columns
/// of which the text says nothing are left out.
std::optional<FileStatistics> ParseStatistics(std::string_view json,
                                              const std::vector<StatisticsColumn>& columns);

/// Number of records alone; nothing if the text does not say.
std::optional<int64_t> ParseNumRecords(std::string_view json);

/// The statistics as Delta writes them: `numRecords`, `minValues`, `maxValues`, `nullCount` in the
/// shape of `columns`, and `tightBounds` where set. Strings are cut by TruncateMinimum and
/// TruncateMaximum, timestamps to milliseconds; NaN and infinities are strings.
std::string ToJson(const FileStatistics& statistics, const std::vector<StatisticsColumn>& columns);

/// Longest string bound, in characters.
inline constexpr int kStatisticsStringPrefix = 32;

/// The first 32 code points: not above any string that starts so.
std::string TruncateMinimum(std::string_view value);
/// A text of little more than 32 UTF-16 units that is not below `value`, as Delta makes it: the
/// prefix and a last character that is above what was cut. Nothing if there is none within 64.
std::optional<std::string> TruncateMaximum(std::string_view value);

}  // namespace merganser
