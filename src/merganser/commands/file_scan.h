#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/data_files.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The data files at `paths`, of all of them.
Result<std::vector<DataFile>> FindDataFiles(const StatementContext& context,
                                            const std::vector<std::string>& paths);

/// A table expression for FROM that reads files of another format: columns of the engine's own
/// types, by name; those of the files' folders are text. `columns` are wanted, one for each of the
/// scan's names; text formats take them as the columns of the files in this order.
///
/// Options of CSV: header, sep or delimiter, quote, escape, nullValue; of JSON: multiLine. Fails
/// with DATA_SOURCE_NOT_FOUND for another format.
Result<std::string> FileScanSql(const StatementContext& context, const BoundFileScan& scan,
                                const std::vector<BoundColumn>& columns);

/// The value of an option by its name in any case, or `otherwise`.
std::string FileOption(const plan::Options& options, std::string_view key,
                       std::string_view otherwise);

}  // namespace merganser
