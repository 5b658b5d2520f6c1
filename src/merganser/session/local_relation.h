#pragma once

#include <memory>

#include "merganser/arrow/arrow_table.h"
#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// A relation of `rows` with the names and Spark types of `schema`, column by column: values are
/// cast where Arrow's type is another one. The relation, and every plan that has it, keeps the rows
/// alive. Requires as many columns in both, at least one.
plan::RelationPtr MakeLocalRelation(std::shared_ptr<const ArrowTable> rows, StructType schema);

/// All rows of a result, fetched. Requires a result with columns. Fails with its run-time errors.
Result<std::shared_ptr<const ArrowTable>> FetchAll(ResultSet& result);

/// Let the statement of `context` read local relations and the rows of commands, which
/// `run_command` runs. Rows are attached to the statement's connection when first asked for.
void ServeLocalRows(StatementContext& context,
                    std::function<Result<ResultSet>(const plan::Command&)> run_command);

}  // namespace merganser
