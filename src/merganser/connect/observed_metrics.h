#pragma once

#include <functional>
#include <vector>

#include <google/protobuf/message.h>

#include "merganser/base/result.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/session/session.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// Whether a plan observes metrics of its rows (`observe`).
bool ObservesMetrics(const google::protobuf::Message& plan);

/// The metrics that `plan` observes, each computed over the rows that it is put upon. `run` runs a
/// statement. Fails as translation and `run` do, and with
/// CONNECT_INVALID_PLAN.UNSUPPORTED_LITERAL_TYPE for values that cannot be sent.
Result<std::vector<spark::connect::ExecutePlanResponse::ObservedMetrics>> ObserveMetrics(
    const google::protobuf::Message& plan, TranslationContext& context,
    const std::function<Result<ResultSet>(const plan::Statement&)>& run);

}  // namespace merganser::connect
