#include "merganser/connect/service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "merganser/base/uuid.h"
#include "merganser/connect/analysis_call.h"
#include "merganser/connect/config_call.h"
#include "merganser/connect/crc32.h"
#include "merganser/connect/execution.h"
#include "merganser/connect/plan_identity.h"
#include "merganser/connect/roomy_thread.h"

namespace merganser::connect {
namespace {

using namespace spark::connect;  // NOLINT(google-build-using-namespace): names of the contract.

/// Compares in a time that does not tell how much is right.
bool SameSecret(std::string_view left, std::string_view right) {
  unsigned difference = left.size() == right.size() ? 0 : 1;
  for (size_t i = 0; i < left.size(); ++i)
    difference |=
        static_cast<unsigned char>(left[i] ^ right[i % std::max<size_t>(1, right.size())]);
  return difference == 0;
}

template <typename Request>
std::optional<std::string> Observed(const Request& request) {
  if constexpr (requires { request.has_client_observed_server_side_session_id(); }) {
    if (request.has_client_observed_server_side_session_id())
      return request.client_observed_server_side_session_id();
  }
  return std::nullopt;
}

template <typename Request>
SessionKey KeyOf(const Request& request) {
  return {request.user_context().user_id(), request.session_id()};
}

}  // namespace

ConnectService::~ConnectService() { WaitForExecutions(); }

void ConnectService::WaitForExecutions() {
  std::unique_lock lock(running_mutex_);
  running_changed_.wait(lock, [this] { return running_ == 0; });
}

grpc::Status ConnectService::Admit(const Context& context) {
  ++counters_.requests;
  if (token_.empty()) return grpc::Status::OK;
  const auto given = context.client_metadata().find("authorization");
  if (given != context.client_metadata().end()) {
    const std::string_view value(given->second.data(), given->second.size());
    if (SameSecret(value, "Bearer " + token_)) return grpc::Status::OK;
  }
  return {grpc::StatusCode::UNAUTHENTICATED, "Invalid authentication token"};
}

template <typename Request>
Result<std::shared_ptr<ServerSession>> ConnectService::FindSession(const Request& request,
                                                                   bool create) {
  return sessions_.Find(KeyOf(request), Observed(request), create);
}

grpc::Status ConnectService::Fail(const Error& error, ServerSession* session) {
  return ToGrpcStatus(error, session == nullptr ? "" : session->errors().Put(error));
}

template <typename Request, typename Response, typename Call>
grpc::Status ConnectService::InSession(const Context& context, const Request& request, bool create,
                                       Response* response, Call call) {
  if (grpc::Status status = Admit(context); !status.ok()) return status;
  const auto session = FindSession(request, create);
  if (!session.ok()) return Fail(session.error(), nullptr);
  response->set_session_id(request.session_id());
  response->set_server_side_session_id((*session)->server_id());
  const Status status = call(**session);
  return status.ok() ? grpc::Status::OK : Fail(status.error(), session->get());
}

grpc::Status ConnectService::ExecutePlan(Context* context, const ExecutePlanRequest* request,
                                         ResponseWriter* writer) {
  if (grpc::Status status = Admit(*context); !status.ok()) return status;
  const auto session = FindSession(*request, true);
  if (!session.ok()) return Fail(session.error(), nullptr);

  ExecutePlanResponse header;
  header.set_session_id(request->session_id());
  header.set_server_side_session_id((*session)->server_id());
  header.set_operation_id(request->has_operation_id() ? request->operation_id() : RandomUuid());
  if (!IsUuid(header.operation_id()))
    return Fail(InvalidHandle(header.operation_id(), "FORMAT"), session->get());
  const bool reattachable = std::ranges::any_of(request->request_options(), [](const auto& option) {
    return option.has_reattach_options() && option.reattach_options().reattachable();
  });
  const auto admission = (*session)->Admit(header, PlanFingerprint(request->plan()), reattachable,
                                           {request->tags().begin(), request->tags().end()});
  if (!admission.ok()) return Fail(admission.error(), session->get());
  if (admission->is_new) Launch(*session, admission->operation, *request);
  return Carry(**session, admission->operation, std::nullopt, context, writer);
}

void ConnectService::Launch(std::shared_ptr<ServerSession> session,
                            std::shared_ptr<Operation> operation,
                            const ExecutePlanRequest& request) {
  {
    const std::lock_guard lock(running_mutex_);
    ++running_;
  }
  ++counters_.operations_started;
  ++counters_.operations_running;
  ExecutionOptions options;
  options.says_complete = operation->reattachable();
  options.may_chunk = std::ranges::any_of(request.request_options(), [](const auto& option) {
    return option.has_result_chunking_options() &&
           option.result_chunking_options().allow_arrow_batch_chunking();
  });
  auto started =
      RoomyThread::Start([this, session, operation, options,
                          plan = std::make_shared<const Plan>(request.plan())]() mutable {
        const auto start = std::chrono::steady_clock::now();
        RunPlan(*session, streams_, *operation, *plan, options);
        plan.reset();
        session->Touch();
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - start);
        const auto outcome = operation->failure();
        if (outcome) ++counters_.operations_failed;
        log_.Write(outcome ? "warning" : "info", "operation",
                   {{"session", session->key().session_id},
                    {"operation", operation->id()},
                    {"user", session->key().user_id},
                    {"ms", std::to_string(took.count())},
                    {"outcome", outcome ? outcome->full_name() : "ok"}});
        operation.reset();
        session.reset();
        Leave();
      });
  if (started.ok()) {
    started->Detach();
    return;
  }
  operation->Finish(started.error());
  ++counters_.operations_failed;
  Leave();
}

void ConnectService::Leave() {
  --counters_.operations_running;
  const std::lock_guard lock(running_mutex_);
  --running_;
  running_changed_.notify_all();
}

grpc::Status ConnectService::Carry(ServerSession& session,
                                   const std::shared_ptr<Operation>& operation,
                                   const std::optional<std::string>& last_response_id,
                                   Context* context, ResponseWriter* writer) {
  const auto outcome = operation->Carry(
      last_response_id,
      [writer](const ExecutePlanResponse& response) { return writer->Write(response); },
      [context] { return context->IsCancelled(); });
  if (!operation->reattachable() && outcome != Operation::Outcome::kTakenOver) {
    // Nobody can come back for more.
    operation->Cancel();
    session.Remove(operation->id());
  }
  switch (outcome) {
    case Operation::Outcome::kDone:
      return grpc::Status::OK;
    case Operation::Outcome::kFailed:
      return Fail(*operation->failure(), &session);
    case Operation::Outcome::kTakenOver:
      return Fail(Error(ErrorClass::INVALID_CURSOR, {}, "DISCONNECTED"), &session);
    case Operation::Outcome::kNotThere:
      return Fail(Error(ErrorClass::INVALID_CURSOR,
                        {{"index", "0"}, {"responseId", last_response_id.value_or("")}},
                        "POSITION_NOT_AVAILABLE"),
                  &session);
    default:
      return {grpc::StatusCode::CANCELLED, "The client went away."};
  }
}

grpc::Status ConnectService::ReattachExecute(Context* context,
                                             const ReattachExecuteRequest* request,
                                             ResponseWriter* writer) {
  if (grpc::Status status = Admit(*context); !status.ok()) return status;
  const auto session = FindSession(*request, false);
  if (!session.ok()) return Fail(session.error(), nullptr);
  const auto operation = (*session)->FindOperation(request->operation_id());
  if (operation == nullptr || !operation->reattachable())
    return Fail(InvalidHandle(request->operation_id(), "OPERATION_NOT_FOUND"), session->get());
  std::optional<std::string> last;
  if (request->has_last_response_id()) last = request->last_response_id();
  return Carry(**session, operation, last, context, writer);
}

grpc::Status ConnectService::ReleaseExecute(Context* context, const ReleaseExecuteRequest* request,
                                            ReleaseExecuteResponse* response) {
  return InSession(*context, *request, false, response, [&](ServerSession& session) -> Status {
    const auto operation = session.FindOperation(request->operation_id());
    if (operation == nullptr) return Status::Ok();
    response->set_operation_id(operation->id());
    if (request->has_release_until()) {
      operation->ReleaseUntil(request->release_until().response_id());
    } else if (request->has_release_all()) {
      operation->Cancel();
      session.Remove(operation->id());
    }
    return Status::Ok();
  });
}

grpc::Status ConnectService::AnalyzePlan(Context* context, const AnalyzePlanRequest* request,
                                         AnalyzePlanResponse* response) {
  return InSession(*context, *request, true, response,
                   [&](ServerSession& session) { return Analyze(session, *request, response); });
}

grpc::Status ConnectService::Config(Context* context, const ConfigRequest* request,
                                    ConfigResponse* response) {
  return InSession(*context, *request, true, response,
                   [&](ServerSession& session) { return Configure(session, *request, response); });
}

grpc::Status ConnectService::AddArtifacts(Context* context,
                                          grpc::ServerReader<AddArtifactsRequest>* reader,
                                          AddArtifactsResponse* response) {
  if (grpc::Status status = Admit(*context); !status.ok()) return status;
  std::shared_ptr<ServerSession> session;
  std::string name;  // Of the artifact that comes in chunks.
  std::string bytes;
  int64_t missing = 0;
  bool intact = true;
  const auto put = [&](bool good) {
    auto* summary = response->add_artifacts();
    summary->set_name(name);
    summary->set_is_crc_successful(good);
    if (good) session->PutArtifact(name, std::move(bytes));
    bytes.clear();
  };
  const auto add_chunk = [&](const AddArtifactsRequest::ArtifactChunk& chunk) {
    intact = intact && Crc32(chunk.data()) == chunk.crc();
    bytes += chunk.data();
    if (--missing == 0) put(intact);
  };
  AddArtifactsRequest request;
  while (reader->Read(&request)) {
    if (session == nullptr) {
      auto found = FindSession(request, true);
      if (!found.ok()) return Fail(found.error(), nullptr);
      session = *std::move(found);
      response->set_session_id(request.session_id());
      response->set_server_side_session_id(session->server_id());
    }
    if (request.has_batch()) {
      for (auto& artifact : *request.mutable_batch()->mutable_artifacts()) {
        name = artifact.name();
        bytes = std::move(*artifact.mutable_data()->mutable_data());
        put(Crc32(bytes) == artifact.data().crc());
      }
    } else if (request.has_begin_chunk()) {
      name = request.begin_chunk().name();
      missing = request.begin_chunk().num_chunks();
      intact = true;
      bytes.clear();
      add_chunk(request.begin_chunk().initial_chunk());
    } else if (request.has_chunk() && missing > 0) {
      add_chunk(request.chunk());
    }
  }
  // Bytes that are no message end the stream like its end does.
  if (session == nullptr)
    return {grpc::StatusCode::INVALID_ARGUMENT, "The upload holds no request that can be read."};
  return grpc::Status::OK;
}

grpc::Status ConnectService::ArtifactStatus(Context* context,
                                            const ArtifactStatusesRequest* request,
                                            ArtifactStatusesResponse* response) {
  return InSession(*context, *request, true, response, [&](ServerSession& session) -> Status {
    for (const std::string& name : request->names())
      (*response->mutable_statuses())[name].set_exists(session.HasArtifact(name));
    return Status::Ok();
  });
}

grpc::Status ConnectService::Interrupt(Context* context, const InterruptRequest* request,
                                       InterruptResponse* response) {
  return InSession(*context, *request, true, response, [&](ServerSession& session) -> Status {
    const auto type = request->interrupt_type();
    if (type == InterruptRequest::INTERRUPT_TYPE_UNSPECIFIED) {
      return Error(ErrorClass::UNSUPPORTED_FEATURE,
                   {{"interruptType", InterruptRequest::InterruptType_Name(type)}},
                   "INTERRUPT_TYPE");
    }
    for (const auto& operation : session.operations()) {
      const bool meant = type == InterruptRequest::INTERRUPT_TYPE_ALL ||
                         (type == InterruptRequest::INTERRUPT_TYPE_OPERATION_ID &&
                          operation->id() == request->operation_id()) ||
                         (type == InterruptRequest::INTERRUPT_TYPE_TAG &&
                          std::ranges::count(operation->tags(), request->operation_tag()) > 0);
      if (meant && operation->Cancel()) response->add_interrupted_ids(operation->id());
    }
    return Status::Ok();
  });
}

grpc::Status ConnectService::ReleaseSession(Context* context, const ReleaseSessionRequest* request,
                                            ReleaseSessionResponse* response) {
  if (grpc::Status status = Admit(*context); !status.ok()) return status;
  response->set_session_id(request->session_id());
  const auto session = sessions_.Release(KeyOf(*request), request->allow_reconnect());
  if (session != nullptr) response->set_server_side_session_id(session->server_id());
  return grpc::Status::OK;
}

grpc::Status ConnectService::FetchErrorDetails(Context* context,
                                               const FetchErrorDetailsRequest* request,
                                               FetchErrorDetailsResponse* response) {
  if (grpc::Status status = Admit(*context); !status.ok()) return status;
  const auto session = FindSession(*request, true);
  if (!session.ok()) return Fail(session.error(), nullptr);
  if (const auto error = (*session)->errors().Take(request->error_id()))
    WriteErrorDetails(*error, response);
  return grpc::Status::OK;
}

grpc::Status ConnectService::CloneSession(Context* context, const CloneSessionRequest* request,
                                          CloneSessionResponse* response) {
  return InSession(*context, *request, false, response, [&](ServerSession& session) -> Status {
    MERGANSER_ASSIGN_OR_RETURN(const auto copy,
                               sessions_.Clone(session, request->new_session_id()));
    response->set_new_session_id(copy->key().session_id);
    response->set_new_server_side_session_id(copy->server_id());
    return Status::Ok();
  });
}

grpc::Status ConnectService::GetStatus(Context* context, const GetStatusRequest* request,
                                       GetStatusResponse* response) {
  return InSession(*context, *request, false, response,
                   [](ServerSession&) -> Status { return Status::Ok(); });
}

}  // namespace merganser::connect
