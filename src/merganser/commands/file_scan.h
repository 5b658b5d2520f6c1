#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/data_files.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The data files at `paths`, of all of them.
Result<std::vector<DataFile>> FindDataFiles(const StatementContext& context,
                                            const std::vector<std::string>& paths);

/// A table expression for FROM that reads files of another format, or the records of a relation:
/// columns by name, of the engine's own types or those of `columns`; those of the files' folders
/// are text. `columns` are wanted, one for each of the scan's names.
///
/// Fails with DATA_SOURCE_NOT_FOUND for another format, INVALID_CORRUPT_RECORD_TYPE,
/// UNSUPPORTED_FEATURE.QUERY_ONLY_CORRUPT_RECORD_COLUMN, FAILED_READ_FILE (headers that differ from
/// the columns) and the classes of CheckTextOptions and CheckColumnTypes.
Result<std::string> FileScanSql(StatementScans& scans, const BoundFileScan& scan,
                                const std::vector<BoundColumn>& columns);

/// A table expression for FROM: the texts of the only column of `records`, as `record`, those left
/// out that hold no record of `format`; with a header, the lines that are like the first.
Result<std::string> TextRecordsSql(StatementScans& scans, const BoundRelation& records,
                                   const std::string& format, const plan::Options& options);

/// The value of an option by its name in any case, or `otherwise`.
std::string FileOption(const plan::Options& options, std::string_view key,
                       std::string_view otherwise);

}  // namespace merganser
