#pragma once

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `(p = value, q, r = DEFAULT)` behind the word PARTITION: static values have an expression, the
/// others none.
Result<std::vector<std::pair<std::string, plan::ExpressionPtr>>> ParsePartitionValues(
    TokenStream& in);

}  // namespace merganser
