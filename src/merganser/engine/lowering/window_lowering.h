#pragma once

#include <string>
#include <string_view>

#include "merganser/engine/lowering/expression_lowering.h"

namespace merganser {

/// A window function with its OVER clause, of engine type EngineType(expression.type).
Result<std::string> LowerWindow(const BoundWindow& window, const BoundExpression& expression,
                                ExpressionLowering& lowering);

/// True if LowerWindow knows the window-only function of that canonical name.
bool HasWindowLowering(std::string_view name);

}  // namespace merganser
