#pragma once

#include "merganser/base/result.h"
#include "merganser/engine/row_table.h"
#include "merganser/spark/plan/literal.h"

namespace merganser {

/// The value in a row and a column of `table` as a literal of `type`.
/// Fails with UNSUPPORTED_FEATURE for nested types, which no literal holds.
Result<plan::Literal> ConstantValue(const engine::RowTable& table, const DataType& type,
                                    int64_t row = 0, size_t column = 0);

}  // namespace merganser
