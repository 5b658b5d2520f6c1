#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// DESCRIBE or DESC of a table, column, query, schema, function, or of a Delta table's HISTORY or
/// DETAIL.
Result<plan::Command> ParseDescribe(TokenStream& in);

}  // namespace merganser
