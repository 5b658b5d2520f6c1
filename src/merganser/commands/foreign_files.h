#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/io/file_systems.h"

namespace merganser {

/// Parquet files of a folder without a log, as a Delta table would have them.
struct ForeignTable {
  StructType schema;
  std::vector<std::string> partition_columns;
  std::vector<AddFile> files;  ///< Paths relative to the folder.

  int64_t size_in_bytes() const;
};

/// Look at the folder `location`, whose subfolders stand for the columns `partitions`, in their
/// order.
///
/// Fails with PATH_NOT_FOUND, DELTA_EMPTY_DIRECTORY,
/// DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME,
/// DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME, DELTA_FAILED_CAST_PARTITION_VALUE, and as the
/// engine's reader.
Result<ForeignTable> ReadForeignTable(StatementContext& context, const FileLocation& location,
                                      const StructType& partitions);

/// Give the files statistics, by reading them. `configuration` is the table's.
Status CollectFileStatistics(StatementContext& context, const FileLocation& location,
                             const StringMap& configuration, ForeignTable& table);

}  // namespace merganser
