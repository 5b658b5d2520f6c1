#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/io/file_systems.h"

namespace merganser {

/// A data file below a folder, and what the names of its folders (`column=value`) say about its
/// rows.
struct DataFile {
  std::string path;           ///< Absolute within the store.
  std::string relative_path;  ///< To the folder.
  int64_t size = 0;
  int64_t modification_time = 0;  ///< Milliseconds since the epoch.
  /// Unescaped; nothing for the folder that stands for NULL.
  std::vector<std::pair<std::string, std::optional<std::string>>> partition_values;
};

/// The data files at `location`, a folder or one file, in the order of their paths. Names that
/// start with `_` or `.` are passed over, with all that is below them. Fails with PATH_NOT_FOUND if
/// nothing is there.
Result<std::vector<DataFile>> ListDataFiles(const FileLocation& location);

/// The columns that the folders of `files` stand for, with the narrowest types that Spark tries:
/// INT, BIGINT, DOUBLE, DATE, else STRING.
StructType InferPartitionColumns(const std::vector<DataFile>& files);

}  // namespace merganser
