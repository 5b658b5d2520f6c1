#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/engine/splice/data_file_footer.h"
#include "merganser/io/file_system.h"

namespace merganser::engine {

/// A data file of which some columns get new values, all rows staying where they are.
struct SplicedColumnsFile {
  int64_t number = 0;                 ///< `f` of its rows in the SELECTs.
  const DataFileFooter* footer = {};  ///< Of the file as it is.
  std::vector<size_t> groups = {};    ///< Row groups with new values, ascending.
  std::string destination = {};       ///< Path of the new file.
};

/// What to write and where.
struct ColumnSpliceSpec {
  std::string root;                         ///< The table's folder, a plain path.
  std::shared_ptr<FileSystem> file_system;  ///< Holds the root.
  StructType columns;                       ///< Those with new values; logical.
  ColumnMappingMode column_mapping = ColumnMappingMode::kNone;
  std::string compression = "snappy";
  std::vector<StatisticsColumn> statistics = {};  ///< Leaves of the whole file to report.
  std::vector<SplicedColumnsFile> files = {};
};

/// Write each file anew: new values in `columns` of the row groups named, every other column chunk
/// byte for byte.
///
/// The SELECTs give `f` and `r` (BIGINT: file number and row of the file) and one value a column;
/// all of them together give each row of the row groups once, in any order. They run one after the
/// other: the one with fewer rows should come first, since row groups are held until they are
/// whole. Requires that the columns are stored as this writer would (DataFileFooter::HoldsColumn).
///
/// Returns one entry a file, in order: size, rows and statistics. The files are durable then. Paths
/// are added to `created` before the files exist. Fails as Connection's statements and FileSystem's
/// calls do; INTERNAL_ERROR if rows are missing or too many.
Result<std::vector<WrittenFile>> RunColumnSplice(Connection& connection,
                                                 const std::vector<std::string>& selects,
                                                 const ColumnSpliceSpec& spec,
                                                 CreatedFiles& created);

}  // namespace merganser::engine
