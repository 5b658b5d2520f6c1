#pragma once

#include <memory>

#include "merganser/connect/operation.h"
#include "merganser/connect/server_session.h"
#include "merganser/connect/streaming_queries.h"
#include "spark/connect/service.pb.h"

namespace merganser::connect {

/// How the answers to one request are formed.
struct ExecutionOptions {
  /// The client understands batches in chunks; each batch says that it is one chunk.
  bool may_chunk = false;
  /// Ends with ResultComplete, as clients that may come back expect.
  bool says_complete = false;
};

/// Run `plan` to its end, giving its answers to `operation`, and finish that. Blocks; called on the
/// operation's own thread.
void RunPlan(ServerSession& session, StreamingQueries& streams, Operation& operation,
             const spark::connect::Plan& plan, const ExecutionOptions& options);

}  // namespace merganser::connect
