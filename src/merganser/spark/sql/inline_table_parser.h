#pragma once

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// VALUES with its rows and alias. A row is `(a, b)`, struct(a, b) or one value without
/// parentheses; inside of INSERT its values may be DEFAULT.
Result<plan::RelationPtr> ParseInlineTable(TokenStream& in);

}  // namespace merganser
