#pragma once

#include <string>

#include "merganser/engine/lowering/lowering.h"

namespace merganser {

/// A cast of `value`, SQL of type `cast.child->type`. The engine's own CAST where it means the same
/// for all values, so that filters on the column still reach the scan; otherwise our mg_cast, with
/// `error_context` as ExpressionLowering gives it.
std::string CastToSparkType(const std::string& value, const BoundCast& cast,
                            const BoundExpression& expression, const std::string& error_context,
                            const LoweringContext& context);

}  // namespace merganser
