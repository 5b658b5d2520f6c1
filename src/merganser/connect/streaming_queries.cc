#include "merganser/connect/streaming_queries.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "merganser/base/size_and_duration.h"
#include "merganser/base/uuid.h"

namespace merganser::connect {
namespace {

using spark::connect::StreamingQueryCommand;
using spark::connect::StreamingQueryCommandResult;
using spark::connect::StreamingQueryInstanceId;
using spark::connect::StreamingQueryManagerCommand;
using spark::connect::StreamingQueryManagerCommandResult;
using spark::connect::WriteStreamOperationStart;
using spark::connect::WriteStreamOperationStartResult;

Error Unsupported(const std::string& what) {
  return Error(ErrorClass::UNSUPPORTED_CALL,
               {{"methodName", what}, {"className", "DataStreamWriter"}}, "WITHOUT_SUGGESTION");
}

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
    case WriteStreamOperationStart::kOnce:
      trigger.until_caught_up = true;
      return trigger;
    case WriteStreamOperationStart::kProcessingTimeInterval: {
      const auto millis = ParseDurationMillis(request.processing_time_interval());
      if (!millis) return Unsupported("trigger(" + request.processing_time_interval() + ")");
      trigger.interval = std::chrono::milliseconds(*millis);
      return trigger;
    }
    case WriteStreamOperationStart::TRIGGER_NOT_SET:
      return trigger;
    default:
      return Unsupported("a continuous trigger");
  }
}

/// The stream that a query reads: found while its plan is translated.
struct FoundSource {
  plan::RelationPtr table;
  FileLocation location;
  plan::Options options;
};

Result<FoundSource> FindSource(ServerSession& session, const spark::connect::Read& read) {
  FoundSource found;
  TranslationContext context = session.translation();
  spark::connect::Relation once;
  *once.mutable_read() = read;
  once.mutable_read()->set_is_streaming(false);
  MERGANSER_ASSIGN_OR_RETURN(found.table, TranslateRelation(once, context));
  TableCatalog& catalog = session.session().catalog();
  if (const auto* source = found.table->As<plan::FileSource>()) {
    found.options = source->options;
    if (source->format != "delta" || source->paths.size() != 1)
      return Unsupported("a stream that does not read one Delta table");
    MERGANSER_ASSIGN_OR_RETURN(found.location, catalog.file_systems().Resolve(source->paths[0]));
    return found;
  }
  const auto* reference = found.table->As<plan::TableReference>();
  if (reference == nullptr) return Unsupported("a stream that does not read a table");
  found.options = reference->options;
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, catalog.Find(reference->name.parts));
  const auto* table = entry ? std::get_if<CatalogTable>(&*entry) : nullptr;
  if (table == nullptr) {
    // Says so in the words of a query.
    MERGANSER_RETURN_IF_ERROR(session.session().SchemaOf({found.table, {}}));
    return Unsupported("a stream of a view");
  }
  found.location = table->location;
  return found;
}

plan::MultipartName TableName(const std::string& text, const ParserOptions& parser,
                              Status* status) {
  auto name = ParseMultipartName(text, parser);
  if (name.ok()) return *std::move(name);
  *status = std::move(name).error();
  return {};
}

}  // namespace

Result<WriteStreamOperationStartResult> StreamingQueries::Start(
    ServerSession& session, const WriteStreamOperationStart& request) {
  if (request.has_foreach_writer()) return Unsupported("foreach");
  MERGANSER_ASSIGN_OR_RETURN(const Trigger trigger, TriggerOf(request));
  std::optional<std::string> checkpoint;
  for (const auto& [name, value] : request.options()) {
    if (name == "checkpointLocation" || name == "checkpointlocation") checkpoint = value;
  }
  const std::shared_ptr<ServerSession> owner = session.shared_from_this();
  const auto shared_request = std::make_shared<const WriteStreamOperationStart>(request);

  // ---- the source ----
  std::optional<MicroBatches> batches;
  {
    const auto lock = session.statement_lock();
    std::optional<FoundSource> found;
    TranslationContext context = session.translation();
    context.streaming_source = [&](const spark::connect::Read& read) -> Result<plan::RelationPtr> {
      if (found) return Unsupported("a query of several streams");
      MERGANSER_ASSIGN_OR_RETURN(found, FindSource(session, read));
      return found->table;
    };
    MERGANSER_RETURN_IF_ERROR(TranslateRelation(request.input(), context));
    if (!found) return Unsupported("a query that reads no stream");
    if (!checkpoint) {
      checkpoint = session.session().conf().Find("spark.sql.streaming.checkpointLocation");
      if (checkpoint) *checkpoint += "/" + RandomUuid();
    }
    if (!checkpoint) {
      return Error(ErrorClass::INVALID_CONF_VALUE,
                   {{"confName", "checkpointLocation"},
                    {"confValue", ""},
                    {"confRequirement",
                     "set the option checkpointLocation, or the setting "
                     "spark.sql.streaming.checkpointLocation"}},
                   "REQUIREMENT");
    }
    Session& inner = session.session();
    MERGANSER_ASSIGN_OR_RETURN(FileLocation folder,
                               inner.catalog().file_systems().Resolve(*checkpoint));
    MERGANSER_RETURN_IF_ERROR(folder.file_system->CreateDirectories(folder.path));
    MERGANSER_ASSIGN_OR_RETURN(
        batches, MicroBatches::Open(std::move(folder),
                                    DeltaSource(found->table, found->location, found->options,
                                                inner.runtime().snapshots())));
  }

  // ---- the sink ----
  /// The query's plan with the rows of a batch as its source. Requires the statement lock.
  const auto plan_of = [owner, shared_request](const MicroBatch& batch) {
    TranslationContext context = owner->translation();
    context.streaming_source = [&batch](const spark::connect::Read&) -> Result<plan::RelationPtr> {
      return batch.source;
    };
    return TranslateRelation(shared_request->input(), context);
  };
  StreamingQuery::Sink sink;
  if (request.has_foreach_batch()) {
    if (!request.foreach_batch().has_python_function())
      return Unsupported("foreachBatch with a function that is not Python's");
    const auto& python = request.foreach_batch().python_function();
    MERGANSER_ASSIGN_OR_RETURN(
        std::shared_ptr<PythonBatchFunction> function,
        PythonBatchFunction::Start(python_, {.url = UrlFor(session.key()),
                                             .python_version = python.python_ver(),
                                             .pickled = python.command(),
                                             .modules = session.ArtifactsUnder("pyfiles/")}));
    sink.run = [owner, plan_of, function](const MicroBatch& batch) -> Status {
      plan::RelationPtr rows;
      {
        const auto lock = owner->statement_lock();
        MERGANSER_ASSIGN_OR_RETURN(rows, plan_of(batch));
      }
      // Without a lock: the function is a client of this session.
      const std::string frame = owner->PutRemoteRelation(std::move(rows));
      const Status status = function->Run(frame, batch.id);
      owner->DropRemoteRelation(frame);
      return status;
    };
    sink.interrupt = [function] { function->Kill(); };
    sink.close = [function] { function->Kill(); };
  } else {
    Status parsed;
    plan::Write write;
    write.format = request.format().empty() ? "delta" : request.format();
    if (write.format != "delta") return Unsupported("the format " + *write.format);
    write.mode = plan::SaveMode::kAppend;
    if (request.output_mode() != "append" && !request.output_mode().empty())
      return Unsupported("the output mode " + request.output_mode());
    for (const auto& [name, value] : request.options()) write.options[name] = value;
    write.options.erase("checkpointLocation");
    write.options["txnAppId"] = batches->query_id();
    if (request.has_path()) {
      write.path = request.path();
    } else if (request.has_table_name()) {
      write.table = TableName(request.table_name(), {}, &parsed);
    } else {
      const auto path = write.options.find("path");
      if (path == write.options.end()) return Unsupported("a stream without a table or path");
      write.path = path->second;
    }
    MERGANSER_RETURN_IF_ERROR(parsed);
    sink.run = [owner, plan_of, write](const MicroBatch& batch) -> Status {
      const auto lock = owner->statement_lock();
      plan::Write one = write;
      one.options["txnVersion"] = std::to_string(batch.id);
      MERGANSER_ASSIGN_OR_RETURN(one.query, plan_of(batch));
      MERGANSER_RETURN_IF_ERROR(owner->session().Execute({plan::Command(std::move(one)), {}}));
      return Status::Ok();
    };
    sink.interrupt = [owner] { owner->session().Interrupt(); };
  }

  const std::lock_guard lock(mutex_);
  for (const Owned& other : queries_) {
    if (other.query->active() && other.query->id() == batches->query_id())
      return Unsupported("a second start of the running query " + other.query->id());
  }
  auto query = std::make_shared<StreamingQuery>(*std::move(batches), request.query_name(), trigger,
                                                std::move(sink));
  WriteStreamOperationStartResult result;
  WriteId(*query, result.mutable_query_id());
  result.set_name(query->name());
  queries_.push_back({session.key(), std::move(query)});
  return result;
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
      return Unsupported("a streaming listener");
  }
}

bool StreamingQueries::AnyActive(const SessionKey& key) const {
  const auto queries = Of(key);
  return std::ranges::any_of(queries, [](const auto& query) { return query->active(); });
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
