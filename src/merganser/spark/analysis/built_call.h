#pragma once

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/functions/resolve.h"

namespace merganser {

/// A call that the analyser makes up itself. `is_operator`: it prints as an operator does. Fails as
/// ResolveCall.
inline Result<BoundExpressionPtr> BuiltCall(std::string name,
                                            std::vector<BoundExpressionPtr> arguments,
                                            const TypingContext& typing, bool is_operator,
                                            const plan::Origin& origin = {}) {
  CallRequest request;
  request.name = std::move(name);
  request.lambdas.resize(arguments.size(), nullptr);
  request.arguments = std::move(arguments);
  request.is_operator = is_operator;
  request.origin = origin;
  return ResolveCall(request, typing, {});
}

}  // namespace merganser
