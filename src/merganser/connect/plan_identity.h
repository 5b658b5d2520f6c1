#pragma once

#include <string>

#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// The bytes of a plan, the same for equal plans: maps are written in the order of their keys.
std::string PlanBytes(const spark::connect::Plan& plan);

/// A short text that equal plans share, and others hardly ever.
std::string PlanFingerprint(const spark::connect::Plan& plan);

/// PlanBytes without what only tells plans apart: ids, and the places in a script that they come
/// from.
std::string PlanMeaning(const spark::connect::Plan& plan);

}  // namespace merganser::connect
