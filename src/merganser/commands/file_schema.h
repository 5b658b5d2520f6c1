#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// Schema of the files at `paths`, partition folders included, as Spark infers it. What
/// infer_schema of AnalysisServices promises.
///
/// Fails with PATH_NOT_FOUND, UNABLE_TO_INFER_SCHEMA, DATA_SOURCE_NOT_FOUND, COLUMN_ALREADY_EXISTS,
/// MALFORMED_RECORD_IN_PARSING (mode FAILFAST) and the classes of CheckTextOptions.
Result<StructType> InferFileSchema(StatementContext& context, const std::string& format,
                                   const std::vector<std::string>& paths,
                                   const plan::Options& options);

/// Schema of the texts in the only column of `records`, each a record of `format` (csv or json).
/// What infer_record_schema of AnalysisServices promises.
Result<StructType> InferRecordSchema(StatementContext& context, const std::string& format,
                                     const BoundRelationPtr& records, const plan::Options& options);

/// The fields of the first CSV record in a table expression whose column is `record`, NULL where a
/// field is; nothing if there is no record. `of_files`: the records are those of files, not rows of
/// the statement.
Result<std::vector<std::optional<std::string>>> FirstCsvRecord(const StatementContext& context,
                                                               const std::string& records,
                                                               const plan::Options& options,
                                                               bool of_files);

}  // namespace merganser
