#pragma once

#include "merganser/base/result.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// What a plan that came compressed holds, or the plan itself. Fails with
/// CONNECT_INVALID_PLAN.CANNOT_PARSE where its bytes are damaged, hold more than a request may, or
/// are compressed in an unknown way.
Result<spark::connect::Plan> Uncompressed(const spark::connect::Plan& plan);

}  // namespace merganser::connect
