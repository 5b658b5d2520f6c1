#pragma once

#include "merganser/base/result.h"
#include "merganser/connect/server_session.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// Answer an AnalyzePlan request but for its ids: questions about a plan, none of which runs it.
/// Fails as the analysis of the plan, and with CONNECT_INVALID_PLAN.UNKNOWN_ANALYZE_METHOD.
Status Analyze(ServerSession& session, const spark::connect::AnalyzePlanRequest& request,
               spark::connect::AnalyzePlanResponse* response);

}  // namespace merganser::connect
