#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/io/file_system.h"

namespace merganser::engine {

/// A row group of a Parquet file.
struct RowGroupSpan {
  int64_t first_row = 0;
  int64_t num_rows = 0;
  int64_t bytes = 0;  ///< As stored.
};

/// The footer of a Parquet data file, and what can be made of the file without decoding it.
class DataFileFooter {
 public:
  /// Fails with FAILED_READ_FILE if the file is not there, CANNOT_READ_FILE_FOOTER if its end is no
  /// footer.
  static Result<DataFileFooter> Read(FileSystem& file_system, const std::string& path);

  ~DataFileFooter();
  DataFileFooter(DataFileFooter&&) noexcept;
  DataFileFooter& operator=(DataFileFooter&&) noexcept;

  const std::vector<RowGroupSpan>& row_groups() const { return row_groups_; }

  /// Does the footer say that a row group has nothing but NULL in all that is below a top-level
  /// column? True if there is no such column. The case of `column` does not matter.
  bool IsNull(std::string_view column, size_t group) const;

  /// Names of the fields right below a top-level column that have no fields themselves.
  std::vector<std::string> LeavesOf(std::string_view column) const;

  /// Can row groups be taken out as bytes? Not where the file is encrypted or refers to others.
  bool IsSpliceable() const;

  /// Exact statistics of the row groups `kept` (positions, ascending), as a sink would have counted
  /// them. Nothing if the footer does not say enough about one of `columns`: bounds that are cut,
  /// of another type, or of floating-point numbers by a writer that may have passed over NaN.
  std::optional<FileStatistics> Statistics(const std::vector<size_t>& kept,
                                           const std::vector<StatisticsColumn>& columns) const;

  /// Is the top-level column there in every row group, stored as our own writer stores a `type`?
  /// False for nested types.
  bool HoldsColumn(const std::string& name, const DataType& type) const;
  /// Bytes of the column's chunks in the row groups `groups`.
  int64_t ColumnBytes(const std::string& name, const std::vector<size_t>& groups) const;

  /// Write the file to `destination` with the columns of another file in place of its own in some
  /// row groups: the i-th row group of `columns` goes to the row group `groups[i]`, which must have
  /// as many rows. All else is byte for byte the same. Returns the size. Requires HoldsColumn of
  /// each of the columns. Fails as FileSystem::ReadRange and WriteUnsynced; not durable yet.
  Result<int64_t> WriteWithColumns(FileSystem& file_system, const DataFileFooter& columns,
                                   const std::vector<size_t>& groups,
                                   const std::string& destination) const;
  /// Statistics of that file; `replaced` are those of the new columns in the row groups `groups`.
  /// Nothing where Statistics of the whole file is nothing.
  std::optional<FileStatistics> StatisticsWithColumns(
      const std::vector<size_t>& groups, const FileStatistics& replaced,
      const std::vector<StatisticsColumn>& columns) const;

  /// Write a Parquet file of the row groups `kept`, byte for byte, to `destination`. Returns its
  /// size. Requires IsSpliceable. Fails as FileSystem::ReadRange and WriteUnsynced; not durable
  /// yet.
  Result<int64_t> WriteRowGroups(FileSystem& file_system, const std::vector<size_t>& kept,
                                 const std::string& destination) const;

 private:
  struct Native;
  explicit DataFileFooter(std::unique_ptr<Native> native);

  std::unique_ptr<Native> native_;
  std::vector<RowGroupSpan> row_groups_;
};

}  // namespace merganser::engine
