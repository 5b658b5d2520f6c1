#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

// Hidden columns of every scan, beside those of its schema; a query has to name them.

/// UBIGINT: position of the row's file in `ScanSource::files`.
inline constexpr std::string_view kFileIndexColumn = "_mg_file_index";
/// BIGINT: row of the file, from 0, deleted rows counted.
inline constexpr std::string_view kFileRowNumberColumn = "_mg_file_row_number";
/// VARCHAR: `ScanFile::path`.
inline constexpr std::string_view kFilePathColumn = "_mg_file_path";

/// Keeps a ScanSource readable from SQL. Move-only; the SQL is valid as long as the handle lives,
/// and statements that have started keep the source themselves.
class ScanHandle {
 public:
  ScanHandle() = default;
  ScanHandle(ScanHandle&&) noexcept;
  ScanHandle& operator=(ScanHandle&&) noexcept;
  ~ScanHandle();

  /// A table expression for FROM, to be given an alias: `mg_scan('h17', ...)`.
  std::string sql() const;
  const std::string& name() const { return name_; }

 private:
  friend ScanHandle RegisterScan(std::shared_ptr<const ScanSource> source);
  explicit ScanHandle(std::string name) : name_(std::move(name)) {}

  std::string name_;
};

/// Make `source` readable by statements of every Connection in this process.
///
/// A data file that is missing when it is opened fails the statement with
/// FAILED_READ_FILE.FILE_NOT_EXIST, any other failure to read one with FAILED_READ_FILE.
ScanHandle RegisterScan(std::shared_ptr<const ScanSource> source);

/// The source registered as `name`, or null. For the engine's own reader.
std::shared_ptr<const ScanSource> FindScan(const std::string& name);

}  // namespace merganser::engine
