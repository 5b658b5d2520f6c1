#include "merganser/connect/execution.h"

#include <algorithm>
#include <utility>

#include "merganser/connect/observed_metrics.h"
#include "merganser/connect/plan_compression.h"
#include "merganser/connect/result_writer.h"
#include "merganser/session/local_relation.h"

namespace merganser::connect {
namespace {

using spark::connect::Command;
using spark::connect::ExecutePlanResponse;
using spark::connect::Plan;
using spark::connect::Relation;

// A batch ends at whichever comes first.
constexpr int64_t kBatchRows = 10000;
constexpr size_t kBatchBytes = 4 << 20;

Error Cancelled() { return Error(ErrorClass::OPERATION_CANCELED); }

Error NotSet(const char* message, const char* alternatives) {
  return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"fullName", message}, {"name", alternatives}},
               "INVALID_ONE_OF_FIELD_NOT_SET");
}

/// Runs one plan.
class Execution {
 public:
  Execution(ServerSession& session, StreamingQueries& streams, Operation& operation,
            const ExecutionOptions& options)
      : session_(session), streams_(streams), operation_(operation), options_(options) {}

  Status Run(const Plan& plan) {
    switch (plan.op_type_case()) {
      case Plan::kRoot:
        return RunRoot(plan.root());
      case Plan::kCommand:
        return RunCommand(plan.command());
      case Plan::kCompressedOperation: {
        MERGANSER_ASSIGN_OR_RETURN(const Plan expanded, Uncompressed(plan));
        return Run(expanded);
      }
      default:
        return NotSet("spark.connect.Plan", "OPTYPE_NOT_SET");
    }
  }

 private:
  Status RunRoot(const Relation& root) {
    MERGANSER_ASSIGN_OR_RETURN(const auto observed, Observe(root));
    MERGANSER_ASSIGN_OR_RETURN(ResultSet rows, Start([&](TranslationContext& context) {
                                 return TranslateStatement(root, context);
                               }));
    MERGANSER_RETURN_IF_ERROR(SendRows(rows));
    return SendObserved(observed);
  }

  /// What the plan observes, computed apart from it and before it changes anything.
  Result<std::vector<ExecutePlanResponse::ObservedMetrics>> Observe(
      const google::protobuf::Message& plan) {
    if (!ObservesMetrics(plan)) return std::vector<ExecutePlanResponse::ObservedMetrics>();
    const auto lock = session_.statement_lock();
    TranslationContext context = session_.translation();
    return ObserveMetrics(plan, context,
                          [this](const plan::Statement& statement) { return Execute(statement); });
  }

  Status SendObserved(const std::vector<ExecutePlanResponse::ObservedMetrics>& observed) {
    if (observed.empty()) return Status::Ok();
    ExecutePlanResponse response;
    for (const auto& metrics : observed) *response.add_observed_metrics() = metrics;
    return Send(std::move(response));
  }

  Status RunCommand(const Command& command) {
    switch (command.command_type_case()) {
      case Command::kSqlCommand:
        return RunSql(command.sql_command());
      case Command::kMlCommand: {
        // Every client says this when it ends; there are no models to forget.
        ExecutePlanResponse response;
        response.mutable_ml_command_result()->mutable_param()->set_integer(0);
        return Send(std::move(response));
      }
      case Command::kCheckpointCommand:
        return RunCheckpoint(command.checkpoint_command());
      case Command::kRemoveCachedRemoteRelationCommand:
        session_.DropRemoteRelation(
            command.remove_cached_remote_relation_command().relation().relation_id());
        return Status::Ok();
      case Command::kWriteStreamOperationStart: {
        ExecutePlanResponse response;
        MERGANSER_ASSIGN_OR_RETURN(
            *response.mutable_write_stream_operation_start_result(),
            streams_.Start(session_, command.write_stream_operation_start()));
        return Send(std::move(response));
      }
      case Command::kStreamingQueryCommand: {
        ExecutePlanResponse response;
        MERGANSER_ASSIGN_OR_RETURN(
            *response.mutable_streaming_query_command_result(),
            streams_.Ask(session_, command.streaming_query_command(), operation_));
        return Send(std::move(response));
      }
      case Command::kStreamingQueryManagerCommand: {
        ExecutePlanResponse response;
        MERGANSER_ASSIGN_OR_RETURN(
            *response.mutable_streaming_query_manager_command_result(),
            streams_.AskManager(session_, command.streaming_query_manager_command(), operation_));
        return Send(std::move(response));
      }
      case Command::kStreamingQueryListenerBusCommand:
        return RunListenerBus(command.streaming_query_listener_bus_command());
      case Command::COMMAND_TYPE_NOT_SET:
        return NotSet("spark.connect.Command", "COMMANDTYPE_NOT_SET");
      default: {
        MERGANSER_ASSIGN_OR_RETURN(const auto observed, Observe(command));
        MERGANSER_ASSIGN_OR_RETURN(const ResultSet rows, Start([&](TranslationContext& context) {
                                     return TranslateCommand(command, context);
                                   }));
        return SendObserved(observed);
      }
    }
  }

  /// Events are sent as they come, until another call says that no more are wanted.
  Status RunListenerBus(const spark::connect::StreamingQueryListenerBusCommand& command) {
    const std::shared_ptr<ListenerBus> bus = streams_.BusOf(session_.key());
    if (command.has_remove_listener_bus_listener()) {
      bus->Close();
      return Status::Ok();
    }
    bus->Open();
    ExecutePlanResponse added;
    added.mutable_streaming_query_listener_events_result()->set_listener_bus_listener_added(true);
    MERGANSER_RETURN_IF_ERROR(Send(std::move(added)));
    while (true) {
      const auto events = bus->Wait([this] { return operation_.cancelled(); });
      if (operation_.cancelled()) return Cancelled();
      if (events.empty()) return Status::Ok();
      ExecutePlanResponse response;
      auto* result = response.mutable_streaming_query_listener_events_result();
      for (const auto& event : events) *result->add_events() = event;
      MERGANSER_RETURN_IF_ERROR(Send(std::move(response)));
    }
  }

  /// A query is only checked, and named to the client by the relation that it came as; a command
  /// runs now, and its rows are in the answer.
  Status RunSql(const spark::connect::SqlCommand& sql) {
    ExecutePlanResponse response;
    Relation* answer = response.mutable_sql_command_result()->mutable_relation();
    std::optional<ResultSet> rows;
    {
      const auto lock = session_.statement_lock();
      if (operation_.cancelled()) return Cancelled();
      TranslationContext context = session_.translation();
      MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, TranslateSql(sql, context));
      if (statement.query() != nullptr) {
        MERGANSER_ASSIGN_OR_RETURN(const StructType schema, session_.session().SchemaOf(statement));
        if (sql.has_input()) {
          *answer = sql.input();
        } else {
          MoveOldForm(sql, answer->mutable_sql());
        }
      } else {
        MERGANSER_ASSIGN_OR_RETURN(rows, Execute(statement));
      }
    }
    if (rows) {
      MERGANSER_ASSIGN_OR_RETURN(*answer->mutable_local_relation()->mutable_data(),
                                 WholeStream(*rows));
    }
    return Send(std::move(response));
  }

  static void MoveOldForm(const spark::connect::SqlCommand& command, spark::connect::SQL* sql) {
    sql->set_query(command.sql());
    *sql->mutable_args() = command.args();
    *sql->mutable_pos_args() = command.pos_args();
    *sql->mutable_named_arguments() = command.named_arguments();
    *sql->mutable_pos_arguments() = command.pos_arguments();
  }

  /// The rows are computed now and kept; later plans name them by an id.
  Status RunCheckpoint(const spark::connect::CheckpointCommand& command) {
    MERGANSER_ASSIGN_OR_RETURN(ResultSet rows, Start([&](TranslationContext& context) {
                                 return TranslateStatement(command.relation(), context);
                               }));
    MERGANSER_ASSIGN_OR_RETURN(auto table, FetchAll(rows));
    ExecutePlanResponse response;
    response.mutable_checkpoint_command_result()->mutable_relation()->set_relation_id(
        session_.PutRemoteRelation(MakeLocalRelation(std::move(table), rows.schema())));
    return Send(std::move(response));
  }

  /// Translate and start a statement. Commands are done when this returns.
  template <typename Translate>
  Result<ResultSet> Start(Translate translate) {
    const auto lock = session_.statement_lock();
    if (operation_.cancelled()) return Cancelled();
    TranslationContext context = session_.translation();
    MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, translate(context));
    return Execute(statement);
  }

  /// Requires the statement lock.
  Result<ResultSet> Execute(const plan::Statement& statement) {
    operation_.set_changing(statement.query() == nullptr);
    operation_.OnCancel([this] { session_.session().Interrupt(); });
    auto rows = session_.session().Execute(statement);
    operation_.set_changing(false);
    if (!rows.ok() || rows->connection() == nullptr) {
      operation_.OnCancel(nullptr);
    } else {
      operation_.OnCancel([connection = rows->connection()] { connection->Interrupt(); });
    }
    return rows;
  }

  std::string time_zone() {
    const auto lock = session_.statement_lock();
    return session_.session().conf().session_time_zone();
  }

  Result<std::string> WholeStream(ResultSet& rows) {
    const IpcWriter writer = MakeIpcWriter(rows.schema(), time_zone());
    std::vector<ArrowBatch> batches;
    while (!rows.schema().empty()) {
      MERGANSER_ASSIGN_OR_RETURN(auto batch, rows.Next());
      if (!batch) break;
      batches.push_back(*std::move(batch));
    }
    return writer.WriteAll(batches);
  }

  Status SendRows(ResultSet& rows) {
    const IpcWriter writer = MakeIpcWriter(rows.schema(), time_zone());
    ExecutePlanResponse schema;
    WriteType(rows.schema(), schema.mutable_schema());
    MERGANSER_RETURN_IF_ERROR(Send(std::move(schema)));
    const bool has_columns = !rows.schema().empty();
    int64_t rows_without_columns = 0;
    while (has_columns || rows.connection() != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows.Next());
      if (!batch) break;
      if (!has_columns) {
        rows_without_columns += batch->num_rows();
        continue;
      }
      MERGANSER_RETURN_IF_ERROR(SendBatch(writer, batch->array()));
    }
    if (sent_rows_ > 0) return Status::Ok();
    // Clients want to see a batch even where there is none.
    return SendStream(writer.WriteEmpty(rows_without_columns), rows_without_columns);
  }

  Status SendBatch(const IpcWriter& writer, const ArrowArray& batch) {
    int64_t step = std::min(kBatchRows, batch.length);
    for (int64_t first = 0; first < batch.length;) {
      const int64_t count = std::min(step, batch.length - first);
      std::string stream = writer.Write(batch, first, count);
      if (stream.size() > kBatchBytes && count > 1) {
        step = std::max<int64_t>(1, count / 2);
        continue;
      }
      MERGANSER_RETURN_IF_ERROR(SendStream(std::move(stream), count));
      first += count;
    }
    return Status::Ok();
  }

  Status SendStream(std::string stream, int64_t count) {
    ExecutePlanResponse response;
    auto* batch = response.mutable_arrow_batch();
    batch->set_row_count(count);
    batch->set_data(std::move(stream));
    batch->set_start_offset(sent_rows_);
    if (options_.may_chunk) {
      batch->set_chunk_index(0);
      batch->set_num_chunks_in_batch(1);
    }
    sent_rows_ += count;
    return Send(std::move(response));
  }

  Status Send(ExecutePlanResponse response) {
    if (!operation_.Push(std::move(response))) return Cancelled();
    return Status::Ok();
  }

  ServerSession& session_;
  StreamingQueries& streams_;
  Operation& operation_;
  const ExecutionOptions& options_;
  int64_t sent_rows_ = 0;
};

}  // namespace

void RunPlan(ServerSession& session, StreamingQueries& streams, Operation& operation,
             const Plan& plan, const ExecutionOptions& options) {
  Status status = Execution(session, streams, operation, options).Run(plan);
  operation.OnCancel(nullptr);
  if (status.ok() && options.says_complete) {
    ExecutePlanResponse complete;
    complete.mutable_result_complete();
    if (!operation.Push(std::move(complete))) status = Cancelled();
  }
  // Whatever a cancelled statement failed with, it failed because it was cancelled.
  if (!status.ok() && operation.cancelled()) status = Cancelled();
  operation.Finish(std::move(status));
}

}  // namespace merganser::connect
