#pragma once

#include "merganser/base/result.h"
#include "merganser/connect/server_session.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// Carry out a Config request, and answer it but for its ids. Static settings that a script sets at
/// its start (silently) are kept for it to read, without effect. Fails with SQL_CONF_NOT_FOUND, and
/// as SessionConf::Set.
Status Configure(ServerSession& session, const spark::connect::ConfigRequest& request,
                 spark::connect::ConfigResponse* response);

}  // namespace merganser::connect
