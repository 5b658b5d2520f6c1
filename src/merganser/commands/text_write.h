#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/commands/uncommitted_files.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/io/file_systems.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// Where rows go as files of a text format, and how.
struct TextTarget {
  std::string format;
  FileLocation location;
  StructType schema;
  std::vector<std::string> partition_columns;
  plan::Options options;
};

/// Rows of the query `rows`, whose columns are those of the target, into new files. Fails with the
/// classes of CheckTextOptions and CheckColumnTypes, and those of the query.
Status WriteTextFiles(StatementContext& context, const std::string& rows,
                      const std::vector<BoundColumn>& columns, const TextTarget& target,
                      UncommittedFiles& files);

}  // namespace merganser
