#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <spark/connect/service.grpc.pb.h>

#include "merganser/connect/deep_request.h"
#include "merganser/connect/event_log.h"
#include "merganser/connect/server_session.h"
#include "merganser/connect/session_registry.h"
#include "merganser/connect/streaming_queries.h"

namespace merganser::connect {

/// What a server counts, for its metrics page.
struct ServiceCounters {
  std::atomic<int64_t> operations_started = 0;
  std::atomic<int64_t> operations_running = 0;
  std::atomic<int64_t> operations_failed = 0;
  std::atomic<int64_t> requests = 0;
};

/// The calls of Spark Connect. Each runs on a thread of gRPC's; executions have threads of their
/// own.
class ConnectService final : public spark::connect::SparkConnectService::Service {
 public:
  /// `token`: what callers have to know; empty lets everybody in. All are used as long as the
  /// service lives.
  ConnectService(SessionRegistry& sessions, StreamingQueries& streams, EventLog& log,
                 std::string token)
      : sessions_(sessions), streams_(streams), log_(log), token_(std::move(token)) {}
  /// Waits for the executions.
  ~ConnectService() override;

  const ServiceCounters& counters() const { return counters_; }
  /// Wait until no execution runs.
  void WaitForExecutions();

  using Context = grpc::ServerContext;
  using ResponseWriter = grpc::ServerWriter<spark::connect::ExecutePlanResponse>;

  grpc::Status ExecutePlan(Context* context, const spark::connect::ExecutePlanRequest* request,
                           ResponseWriter* writer) override;
  grpc::Status ReattachExecute(Context* context,
                               const spark::connect::ReattachExecuteRequest* request,
                               ResponseWriter* writer) override;
  grpc::Status ReleaseExecute(Context* context,
                              const spark::connect::ReleaseExecuteRequest* request,
                              spark::connect::ReleaseExecuteResponse* response) override;
  grpc::Status AnalyzePlan(Context* context, const spark::connect::AnalyzePlanRequest* request,
                           spark::connect::AnalyzePlanResponse* response) override;
  grpc::Status Config(Context* context, const spark::connect::ConfigRequest* request,
                      spark::connect::ConfigResponse* response) override;
  grpc::Status AddArtifacts(Context* context,
                            grpc::ServerReader<spark::connect::AddArtifactsRequest>* reader,
                            spark::connect::AddArtifactsResponse* response) override;
  grpc::Status ArtifactStatus(Context* context,
                              const spark::connect::ArtifactStatusesRequest* request,
                              spark::connect::ArtifactStatusesResponse* response) override;
  grpc::Status Interrupt(Context* context, const spark::connect::InterruptRequest* request,
                         spark::connect::InterruptResponse* response) override;
  grpc::Status ReleaseSession(Context* context,
                              const spark::connect::ReleaseSessionRequest* request,
                              spark::connect::ReleaseSessionResponse* response) override;
  grpc::Status FetchErrorDetails(Context* context,
                                 const spark::connect::FetchErrorDetailsRequest* request,
                                 spark::connect::FetchErrorDetailsResponse* response) override;
  grpc::Status CloneSession(Context* context, const spark::connect::CloneSessionRequest* request,
                            spark::connect::CloneSessionResponse* response) override;
  grpc::Status GetStatus(Context* context, const spark::connect::GetStatusRequest* request,
                         spark::connect::GetStatusResponse* response) override;

 private:
  /// UNAUTHENTICATED unless the caller knows the token.
  grpc::Status Admit(const Context& context);

  template <typename Request>
  Result<std::shared_ptr<ServerSession>> FindSession(const Request& request, bool create);
  /// Runs `call` with the session of `request`, and fills in the ids of `response`.
  template <typename Request, typename Response, typename Call>
  grpc::Status InSession(const Context& context, const Request& request, bool create,
                         Response* response, Call call);
  /// `error` as a call's end; kept for FetchErrorDetails where there is a session.
  grpc::Status Fail(const Error& error, ServerSession* session);
  grpc::Status Carry(ServerSession& session, const std::shared_ptr<Operation>& operation,
                     const std::optional<std::string>& last_response_id, Context* context,
                     ResponseWriter* writer);
  void Launch(std::shared_ptr<ServerSession> session, std::shared_ptr<Operation> operation,
              const spark::connect::ExecutePlanRequest& request);
  /// The last thing that an execution does.
  void Leave();

  SessionRegistry& sessions_;
  StreamingQueries& streams_;
  EventLog& log_;
  const std::string token_;
  ServiceCounters counters_;
  std::mutex running_mutex_;
  std::condition_variable running_changed_;
  int64_t running_ = 0;  ///< Execution threads; guarded by running_mutex_.
};

}  // namespace merganser::connect
