#pragma once

#include <string_view>

#include <google/protobuf/message.h>

#include "merganser/base/error.h"

namespace merganser::connect {

/// Why `message` cannot be translated: its oneof `oneof_name` is set to something that this server
/// does not have, named by its field, or is not set at all. CONNECT_INVALID_PLAN.
Error RefuseOneof(const google::protobuf::Message& message, std::string_view oneof_name);

/// CONNECT_INVALID_PLAN.INVALID_ENUM for a value that its enumeration does not have, or that has no
/// meaning here.
Error RefuseEnum(const google::protobuf::Message& message, std::string_view field_name);

/// CONNECT_INVALID_PLAN.ASSERTION_FAILURE.
Error InvalidPlan(std::string_view what);

}  // namespace merganser::connect
