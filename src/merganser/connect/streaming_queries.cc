#include "merganser/connect/streaming_queries.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "merganser/base/calendar_interval.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/uuid.h"
#include "merganser/connect/stream_plan.h"
#include "merganser/connect/stream_sink.h"
#include "merganser/connect/stream_source.h"

namespace merganser::connect {
namespace {

using spark::connect::StreamingQueryCommand;
using spark::connect::StreamingQueryCommandResult;
using spark::connect::StreamingQueryInstanceId;
using spark::connect::StreamingQueryManagerCommand;
using spark::connect::StreamingQueryManagerCommandResult;
using spark::connect::WriteStreamOperationStart;
using spark::connect::WriteStreamOperationStartResult;

/// What can stand in a URL's parameter as it is.
std::string UrlText(const std::string& text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') {
      out += c;
    } else {
      out += '%';
      out += kDigits[static_cast<unsigned char>(c) >> 4];
      out += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return out;
}

void WriteId(const StreamingQuery& query, StreamingQueryInstanceId* id) {
  id->set_id(query.id());
  id->set_run_id(query.run_id());
}

Result<Trigger> TriggerOf(const WriteStreamOperationStart& request) {
  Trigger trigger;
  switch (request.trigger_case()) {
    case WriteStreamOperationStart::kAvailableNow:
      trigger.pace = BatchPace::kAvailableNow;
      return trigger;
    case WriteStreamOperationStart::kOnce:
      trigger.pace = BatchPace::kOnce;
      return trigger;
    case WriteStreamOperationStart::kProcessingTimeInterval: {
      const auto interval = ParseCalendarInterval(request.processing_time_interval());
      const auto micros = interval ? interval->MicrosWithoutMonths() : std::nullopt;
      if (!micros || interval->months != 0 || *micros < 0)
        return UnsupportedStream("trigger(" + request.processing_time_interval() + ")");
      trigger.interval = std::chrono::milliseconds(*micros / 1000);
      return trigger;
    }
    case WriteStreamOperationStart::TRIGGER_NOT_SET:
      return trigger;
    default:
      return UnsupportedStream("a continuous trigger");
  }
}

Status CheckOutputMode(const BoundRelation& plan, const std::string& mode) {
  if (mode == "append" || mode == "update") return CheckBatchwise(plan, mode);
  if (mode != "complete") return UnsupportedStream("the output mode " + mode);
  if (AggregatesStream(plan)) return Status::Ok();
  return UnsupportedStream("the output mode complete without an aggregation");
}

/// A folder for the checkpoint of a query whose results do not outlive it; empty if there is none.
std::string TemporaryFolder() {
  std::error_code failed;
  const auto parent = std::filesystem::temp_directory_path(failed);
  return failed ? "" : (parent / ("merganser-stream-" + RandomUuid())).string();
}

/// The query's checkpoint folder, made if need be; `temporary` is what stands in where none is
/// named. Requires the statement lock.
Result<FileLocation> CheckpointFolder(ServerSession& session,
                                      const WriteStreamOperationStart& request,
                                      const std::string& temporary) {
  std::optional<std::string> checkpoint;
  for (const auto& [name, value] : request.options()) {
    if (AsciiLowerCase(name) == "checkpointlocation") checkpoint = value;
  }
  Session& inner = session.session();
  if (!checkpoint) {
    checkpoint = inner.conf().Find("spark.sql.streaming.checkpointLocation");
    if (checkpoint) *checkpoint += "/" + RandomUuid();
  }
  if (!checkpoint && !temporary.empty()) checkpoint = temporary;
  if (!checkpoint) {
    return Error(ErrorClass::INVALID_CONF_VALUE,
                 {{"confName", "checkpointLocation"},
                  {"confValue", ""},
                  {"confRequirement",
                   "set the option checkpointLocation, or the setting "
                   "spark.sql.streaming.checkpointLocation"}},
                 "REQUIREMENT");
  }
  MERGANSER_ASSIGN_OR_RETURN(FileLocation folder,
                             inner.catalog().file_systems().Resolve(*checkpoint));
  MERGANSER_RETURN_IF_ERROR(folder.file_system->CreateDirectories(folder.path));
  return folder;
}

/// The only stream that a plan reads, which must suit the output mode. Requires the statement lock.
Result<DeltaSource> SourceOf(const StreamPlan& plan) {
  ServerSession& session = plan.owner();
  std::optional<DeltaSource> found;
  TranslationContext context = session.translation();
  context.streaming_source = [&](const spark::connect::Read& read) -> Result<plan::RelationPtr> {
    if (found) return UnsupportedStream("reading several streams");
    MERGANSER_ASSIGN_OR_RETURN(found, FindStreamSource(session, read));
    return found->NoRows();
  };
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query,
                             TranslateRelation(plan.request().input(), context));
  if (!found) return UnsupportedStream("a plan that reads no stream");
  // Mistakes in the plan are the caller's, and not those of the first batch.
  MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr bound,
                             session.session().Analyze({std::move(query), {}}));
  MERGANSER_RETURN_IF_ERROR(CheckOutputMode(*bound, plan.output_mode()));
  return *std::move(found);
}

}  // namespace

Result<WriteStreamOperationStartResult> StreamingQueries::Start(
    ServerSession& session, const WriteStreamOperationStart& request) {
  MERGANSER_ASSIGN_OR_RETURN(const Trigger trigger, TriggerOf(request));
  const StreamPlan plan(session, std::make_shared<const WriteStreamOperationStart>(request));
  const std::string format = AsciiLowerCase(request.format());
  const bool is_passing = format == "memory" || format == "noop";
  const std::string temporary = is_passing ? TemporaryFolder() : "";
  std::optional<MicroBatches> batches;
  plan::RelationPtr no_rows;
  {
    const auto lock = session.statement_lock();
    MERGANSER_ASSIGN_OR_RETURN(DeltaSource source, SourceOf(plan));
    MERGANSER_ASSIGN_OR_RETURN(no_rows, source.NoRows());
    MERGANSER_ASSIGN_OR_RETURN(FileLocation folder, CheckpointFolder(session, request, temporary));
    MERGANSER_ASSIGN_OR_RETURN(
        batches, MicroBatches::Open(std::move(folder), std::move(source), trigger.pace));
  }
  MERGANSER_ASSIGN_OR_RETURN(
      StreamingQuery::Sink sink,
      MakeStreamSink(plan, no_rows, batches->query_id(), UrlFor(session.key()), python_));
  if (is_passing) {
    sink.close = [temporary] {
      std::error_code ignored;
      std::filesystem::remove_all(temporary, ignored);
    };
  }

  const std::lock_guard lock(mutex_);
  for (const Owned& other : queries_) {
    if (!other.query->active()) continue;
    if (other.query->id() == batches->query_id())
      return UnsupportedStream("a second start of the running query " + other.query->id());
    if (other.key == session.key() && !request.query_name().empty() &&
        other.query->name() == request.query_name()) {
      return UnsupportedStream("a second query of the name " + request.query_name());
    }
  }
  auto query = std::make_shared<StreamingQuery>(
      *std::move(batches), request.query_name(), trigger, std::move(sink),
      [bus = BusUnderLock(session.key())](auto type, std::string json) {
        bus->Post(type, std::move(json));
      });
  WriteStreamOperationStartResult result;
  WriteId(*query, result.mutable_query_id());
  result.set_name(query->name());
  result.set_query_started_event_json(query->StartedEvent());
  MERGANSER_RETURN_IF_ERROR(query->Start());
  queries_.push_back({session.key(), std::move(query)});
  return result;
}

std::shared_ptr<ListenerBus> StreamingQueries::BusUnderLock(const SessionKey& key) {
  auto& bus = buses_[key];
  if (bus == nullptr) bus = std::make_shared<ListenerBus>();
  return bus;
}

std::shared_ptr<ListenerBus> StreamingQueries::BusOf(const SessionKey& key) {
  const std::lock_guard lock(mutex_);
  return BusUnderLock(key);
}

std::string StreamingQueries::UrlFor(const SessionKey& key) const {
  std::string url = "sc://" + address_ + "/;session_id=" + key.session_id;
  if (!key.user_id.empty()) url += ";user_id=" + UrlText(key.user_id);
  if (!token_.empty()) url += ";token=" + UrlText(token_);
  return url;
}

Result<std::shared_ptr<StreamingQuery>> StreamingQueries::Find(const SessionKey& key,
                                                               const std::string& id,
                                                               const std::string& run_id) const {
  const std::lock_guard lock(mutex_);
  for (const Owned& owned : queries_) {
    if (owned.key == key && owned.query->id() == id &&
        (run_id.empty() || owned.query->run_id() == run_id)) {
      return owned.query;
    }
  }
  return InvalidHandle(id, "OPERATION_NOT_FOUND");
}

std::vector<std::shared_ptr<StreamingQuery>> StreamingQueries::Of(const SessionKey& key) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<StreamingQuery>> found;
  for (const Owned& owned : queries_) {
    if (owned.key == key) found.push_back(owned.query);
  }
  return found;
}

Result<StreamingQueryCommandResult> StreamingQueries::Ask(ServerSession& session,
                                                          const StreamingQueryCommand& command,
                                                          const Operation& operation) {
  MERGANSER_ASSIGN_OR_RETURN(
      const auto query, Find(session.key(), command.query_id().id(), command.query_id().run_id()));
  const auto give_up = [&operation] { return operation.cancelled(); };
  StreamingQueryCommandResult result;
  *result.mutable_query_id() = command.query_id();
  switch (command.command_case()) {
    case StreamingQueryCommand::kStatus: {
      auto* status = result.mutable_status();
      status->set_status_message(query->status_message());
      status->set_is_active(query->active());
      return result;
    }
    case StreamingQueryCommand::kLastProgress: {
      const auto progress = query->progress();
      result.mutable_recent_progress();
      if (!progress.empty())
        result.mutable_recent_progress()->add_recent_progress_json(progress.back());
      return result;
    }
    case StreamingQueryCommand::kRecentProgress:
      result.mutable_recent_progress();
      for (const std::string& one : query->progress())
        result.mutable_recent_progress()->add_recent_progress_json(one);
      return result;
    case StreamingQueryCommand::kStop:
      query->Stop();
      return result;
    case StreamingQueryCommand::kProcessAllAvailable:
      query->WaitUntilCaughtUp(give_up);
      if (const auto failure = query->failure()) return *failure;
      return result;
    case StreamingQueryCommand::kExplain:
      result.mutable_explain()->set_result("Each batch reads a Delta table and runs its plan.");
      return result;
    case StreamingQueryCommand::kException:
      if (const auto failure = query->failure()) {
        auto* exception = result.mutable_exception();
        // The client splits at ": ".
        exception->set_exception_message(
            "org.apache.spark.sql.streaming.StreamingQueryException: " + failure->message());
        exception->set_error_class(failure->full_name());
      }
      return result;
    case StreamingQueryCommand::kAwaitTermination: {
      std::optional<std::chrono::milliseconds> timeout;
      if (command.await_termination().has_timeout_ms())
        timeout = std::chrono::milliseconds(command.await_termination().timeout_ms());
      const bool ended = query->Wait(timeout, give_up);
      if (const auto failure = query->failure()) return *failure;
      result.mutable_await_termination()->set_terminated(ended);
      return result;
    }
    default:
      return Error(
          ErrorClass::CONNECT_INVALID_PLAN,
          {{"fullName", "spark.connect.StreamingQueryCommand"}, {"name", "COMMAND_NOT_SET"}},
          "INVALID_ONE_OF_FIELD_NOT_SET");
  }
}

Result<StreamingQueryManagerCommandResult> StreamingQueries::AskManager(
    ServerSession& session, const StreamingQueryManagerCommand& command,
    const Operation& operation) {
  StreamingQueryManagerCommandResult result;
  const auto write = [](const StreamingQuery& query, auto* instance) {
    WriteId(query, instance->mutable_id());
    if (!query.name().empty()) instance->set_name(query.name());
  };
  const auto queries = Of(session.key());
  switch (command.command_case()) {
    case StreamingQueryManagerCommand::kActive:
      result.mutable_active();
      for (const auto& query : queries) {
        if (query->active()) write(*query, result.mutable_active()->add_active_queries());
      }
      return result;
    case StreamingQueryManagerCommand::kGetQuery:
      for (const auto& query : queries) {
        if (query->active() && query->id() == command.get_query())
          write(*query, result.mutable_query());
      }
      return result;
    case StreamingQueryManagerCommand::kAwaitAnyTermination: {
      const auto& wait = command.await_any_termination();
      const auto end = std::chrono::steady_clock::now() +
                       std::chrono::milliseconds(wait.has_timeout_ms() ? wait.timeout_ms() : 0);
      while (true) {
        for (const auto& query : queries) {
          if (query->active()) continue;
          if (const auto failure = query->failure()) return *failure;
          result.mutable_await_any_termination()->set_terminated(true);
          return result;
        }
        const bool late = wait.has_timeout_ms() && std::chrono::steady_clock::now() >= end;
        if (late || queries.empty() || operation.cancelled()) break;
        queries.front()->Wait(std::chrono::milliseconds(200),
                              [&operation] { return operation.cancelled(); });
      }
      result.mutable_await_any_termination()->set_terminated(false);
      return result;
    }
    case StreamingQueryManagerCommand::kResetTerminated: {
      const std::lock_guard lock(mutex_);
      std::erase_if(queries_, [&session](const Owned& owned) {
        return owned.key == session.key() && !owned.query->active();
      });
      result.set_reset_terminated(true);
      return result;
    }
    default:
      return UnsupportedStream("a listener that the server runs");
  }
}

bool StreamingQueries::AnyActive(const SessionKey& key) const {
  const auto queries = Of(key);
  return std::ranges::any_of(queries, [](const auto& query) { return query->active(); });
}

void StreamingQueries::StopAllOf(const SessionKey& key) {
  const auto ended = Of(key);
  for (const auto& query : ended) query->Stop();
  const std::lock_guard lock(mutex_);
  std::erase_if(queries_, [&](const Owned& owned) {
    return std::ranges::find(ended, owned.query) != ended.end();
  });
  if (const auto bus = buses_.find(key); bus != buses_.end()) {
    bus->second->Close();
    buses_.erase(bus);
  }
}

void StreamingQueries::StopAll() {
  std::vector<Owned> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(queries_);
  }
  for (const Owned& owned : all) owned.query->Stop();
}

}  // namespace merganser::connect
