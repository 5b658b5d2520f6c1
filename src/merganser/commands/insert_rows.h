#pragma once

#include <set>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/insert_columns.h"
#include "merganser/commands/statement_context.h"

namespace merganser {

/// Rows to insert, complete.
struct InsertRows {
  BoundRelationPtr rows;           ///< One column a column of the table, of its type.
  std::set<std::string> computed;  ///< Generated columns that got their expressions' values.
  std::vector<size_t> numbered;    ///< Identity columns that were given numbers.
};

/// The query's rows as rows of the table: given values as the columns store them; for columns
/// without one the default, the generation expression over the other values, the next numbers of an
/// identity column, else NULL.
///
/// Fails as StoreAssign, with DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED, and with
/// analysis errors of stored expressions.
Result<InsertRows> CompleteInsertRows(StatementContext& context, Analyzer& analyzer,
                                      const BoundRelationPtr& query, const InsertColumns& columns);

}  // namespace merganser
