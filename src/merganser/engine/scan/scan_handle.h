#pragma once

#include <memory>
#include <string>

#include "merganser/engine/scan/scan_source.h"

namespace merganser::engine {

/// Keeps a ScanSource readable from SQL. Move-only; the SQL is valid as long as the handle lives,
/// and statements that have started keep the source themselves.
///
/// The scan has the columns of the source's schema and three hidden ones, which need naming:
/// `file_index` UBIGINT (position in `ScanSource::files`), `file_row_number` BIGINT (0-based row of
/// the file, deleted rows counted) and `filename` VARCHAR.
class ScanHandle {
 public:
  ScanHandle() = default;
  ScanHandle(ScanHandle&&) noexcept;
  ScanHandle& operator=(ScanHandle&&) noexcept;
  ~ScanHandle();

  /// A table expression for FROM: `mg_scan('h17')`.
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
