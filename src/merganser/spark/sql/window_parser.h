#pragma once

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// Does OVER with a window stand at the cursor?
bool PeekWindow(const TokenStream& in);

/// `name`, `(name)` or `([PARTITION BY ...] [ORDER BY ...] [frame])`.
Result<plan::WindowSpec> ParseWindowSpec(TokenStream& in);

/// `WINDOW name AS (...), ...` if it stands at the cursor. Fails with
/// INVALID_SQL_SYNTAX.REPETITIVE_WINDOW_DEFINITION.
Result<std::vector<std::pair<std::string, plan::WindowSpec>>> ParseWindowClause(TokenStream& in);

}  // namespace merganser
