#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/deletion_vector/deletion_vector.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/io/file_systems.h"

namespace merganser {

/// Load the vector that `descriptor` points to, of a table in the folder `table_path` ("Deletion
/// Vectors" in PROTOCOL.md).
///
/// Fails with kCorruption classes if the bytes do not match the descriptor's size, checksum or
/// cardinality, and with FAILED_READ_FILE.FILE_NOT_EXIST if the file is gone.
Result<DeletionVector> ReadDeletionVector(FileSystem& file_system, std::string_view table_path,
                                          const DeletionVectorDescriptor& descriptor);

/// File that holds the vector: absolute, or below `table_path`. Requires storage in a file.
Result<std::string> DeletionVectorPath(std::string_view table_path,
                                       const DeletionVectorDescriptor& descriptor);

/// Vectors up to this many serialized bytes are kept in the log itself.
inline constexpr size_t kMostInlineVectorBytes = 128;

/// A descriptor that carries the vector itself.
DeletionVectorDescriptor MakeInlineDescriptor(const DeletionVector& vector);

/// Collects vectors into one file of the table.
class DeletionVectorFile {
 public:
  /// `uuid` in its canonical text form names the file; `prefix` is its folder in the table, may be
  /// empty.
  explicit DeletionVectorFile(std::string uuid, std::string prefix = {});

  /// Append a vector and return the descriptor that will find it once the file is written.
  DeletionVectorDescriptor Add(const DeletionVector& vector);
  bool empty() const;
  int64_t size() const { return static_cast<int64_t>(bytes_.size()); }
  /// Path relative to the table's folder.
  std::string relative_path() const;
  /// Write the file durably below `table_path`.
  Status Write(FileSystem& file_system, std::string_view table_path) const;

 private:
  std::string uuid_;
  std::string prefix_;
  std::string bytes_;
};

}  // namespace merganser
