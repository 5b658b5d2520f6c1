#pragma once

#include <string>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/dml_binding.h"

namespace merganser {

/// What UPDATE and DELETE (`operation`) cannot compute: a query in the condition, and values that
/// change from call to call. Fails with DELTA_UNSUPPORTED_SUBQUERY and
/// INVALID_NON_DETERMINISTIC_EXPRESSIONS.
Status CheckRowExpressions(const BoundMerge& change, const std::string& operation);

}  // namespace merganser
