#pragma once

#include <memory>
#include <string>

#include "merganser/base/result.h"
#include "merganser/connect/python_batch_function.h"
#include "merganser/connect/server_session.h"
#include "merganser/connect/streaming_query.h"
#include "spark/connect/commands.pb.h"

namespace merganser::connect {

/// What a streaming query does to each batch: the client's plan, and where its rows go.
class StreamPlan {
 public:
  StreamPlan(ServerSession& session,
             std::shared_ptr<const spark::connect::WriteStreamOperationStart> request)
      : owner_(session.shared_from_this()), request_(std::move(request)) {}

  ServerSession& owner() const { return *owner_; }
  const spark::connect::WriteStreamOperationStart& request() const { return *request_; }
  /// append, complete or update.
  std::string output_mode() const;

  /// The plan with `source` in the place of the stream. Requires the statement lock.
  Result<plan::RelationPtr> Over(const plan::RelationPtr& source) const;

 private:
  std::shared_ptr<ServerSession> owner_;
  std::shared_ptr<const spark::connect::WriteStreamOperationStart> request_;
};

/// The sink that the request names. `no_rows` is a relation with the stream's columns, `query_id`
/// that of the checkpoint, `url` and `python` are for functions of foreachBatch.
///
/// Fails with UNSUPPORTED_CALL for a sink or output mode that there is not, and with
/// PYTHON_EXCEPTION if a function's process does not start.
Result<StreamingQuery::Sink> MakeStreamSink(StreamPlan plan, const plan::RelationPtr& no_rows,
                                            const std::string& query_id, const std::string& url,
                                            const PythonEnvironment& python);

}  // namespace merganser::connect
