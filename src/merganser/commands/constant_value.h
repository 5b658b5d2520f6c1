#pragma once

#include "merganser/base/result.h"
#include "merganser/engine/row_table.h"
#include "merganser/spark/plan/literal.h"

namespace merganser {

/// The value in the first column of row `row` as a literal of `type`.
/// Fails with UNSUPPORTED_FEATURE for nested types, which no literal holds.
Result<plan::Literal> ConstantValue(const engine::RowTable& table, const DataType& type,
                                    int64_t row = 0);

}  // namespace merganser
