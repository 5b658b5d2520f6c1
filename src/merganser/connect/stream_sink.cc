#include "merganser/connect/stream_sink.h"

#include <utility>
#include <vector>

#include "merganser/base/letter_case.h"
#include "merganser/connect/stream_plan.h"
#include "merganser/session/local_relation.h"

namespace merganser::connect {
namespace {

using spark::connect::WriteStreamOperationStart;

/// The rows of a query, computed. Requires the statement lock.
Result<plan::RelationPtr> Computed(ServerSession& session, plan::RelationPtr query) {
  MERGANSER_ASSIGN_OR_RETURN(ResultSet rows, session.session().Execute({std::move(query), {}}));
  MERGANSER_ASSIGN_OR_RETURN(auto table, FetchAll(rows));
  return MakeLocalRelation(std::move(table), rows.schema());
}

Result<StreamingQuery::Sink> FunctionSink(const StreamPlan& plan, const std::string& url,
                                          const PythonEnvironment& environment) {
  if (!plan.request().foreach_batch().has_python_function())
    return UnsupportedStream("foreachBatch with a function that is not Python's");
  const auto& python = plan.request().foreach_batch().python_function();
  MERGANSER_ASSIGN_OR_RETURN(
      std::shared_ptr<PythonBatchFunction> function,
      PythonBatchFunction::Start(environment,
                                 {.url = url,
                                  .python_version = python.python_ver(),
                                  .pickled = python.command(),
                                  .modules = plan.owner().ArtifactsUnder("pyfiles/")}));
  StreamingQuery::Sink sink;
  sink.description = "ForeachBatchSink";
  sink.run = [plan, function](const MicroBatch& batch) -> Status {
    ServerSession& owner = plan.owner();
    plan::RelationPtr rows;
    {
      const auto lock = owner.statement_lock();
      MERGANSER_ASSIGN_OR_RETURN(rows, plan.Over(batch.source));
    }
    // Without a lock: the function is a client of this session.
    const std::string frame = owner.PutRemoteRelation(std::move(rows));
    const Status status = function->Run(frame, batch.id);
    owner.DropRemoteRelation(frame);
    return status;
  };
  sink.interrupt = [function] { function->Kill(); };
  sink.close = [function] { function->End(); };
  return sink;
}

/// A temporary view with all rows so far.
Result<StreamingQuery::Sink> MemorySink(const StreamPlan& plan, const plan::RelationPtr& no_rows) {
  const std::string& name = plan.request().query_name();
  if (name.empty()) return UnsupportedStream("a memory sink without a query name");
  const auto show = [plan, name](const std::vector<plan::RelationPtr>& parts) {
    plan::RelationPtr all = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) {
      all = plan::MakeRelation(plan::SetOperation{
          .left = std::move(all), .right = parts[i], .op = plan::SetOperator::kUnion, .all = true});
    }
    CatalogView view;
    view.name = name;
    view.query = std::move(all);
    plan.owner().session().catalog().PutView(view);
  };
  auto parts = std::make_shared<std::vector<plan::RelationPtr>>();
  {
    const auto lock = plan.owner().statement_lock();
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, plan.Over(no_rows));
    const plan::ExpressionPtr never =
        plan::MakeExpression(plan::Literal{DataType::Boolean(), false});
    MERGANSER_ASSIGN_OR_RETURN(
        query, Computed(plan.owner(), plan::MakeRelation(plan::Filter{std::move(query), never})));
    parts->push_back(std::move(query));
    show(*parts);
  }
  StreamingQuery::Sink sink;
  sink.description = "MemorySink";
  const bool replaces = plan.output_mode() == "complete";
  sink.run = [plan, parts, show, replaces](const MicroBatch& batch) -> Status {
    const auto lock = plan.owner().statement_lock();
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, plan.Over(batch.source));
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr rows, Computed(plan.owner(), std::move(query)));
    if (replaces || parts->size() == 1) {
      *parts = {std::move(rows)};
    } else {
      // One part, however many batches: a query over them must not nest deeper and deeper.
      parts->push_back(std::move(rows));
      if (parts->size() >= 100) {
        show(*parts);
        plan::TableReference view{{{plan.request().query_name()}, nullptr, {}}, std::nullopt, {}};
        MERGANSER_ASSIGN_OR_RETURN(rows,
                                   Computed(plan.owner(), plan::MakeRelation(std::move(view))));
        *parts = {std::move(rows)};
      }
    }
    show(*parts);
    return Status::Ok();
  };
  sink.interrupt = [plan] { plan.owner().session().Interrupt(); };
  return sink;
}

Result<StreamingQuery::Sink> DeltaSink(const StreamPlan& plan, const std::string& query_id) {
  const WriteStreamOperationStart& request = plan.request();
  plan::Write write;
  write.format = "delta";
  write.mode =
      plan.output_mode() == "complete" ? plan::SaveMode::kOverwrite : plan::SaveMode::kAppend;
  for (const auto& [name, value] : request.options()) write.options[name] = value;
  write.options.erase("checkpointLocation");
  write.options["txnAppId"] = query_id;
  write.partition_by.assign(request.partitioning_column_names().begin(),
                            request.partitioning_column_names().end());
  write.cluster_by.assign(request.clustering_column_names().begin(),
                          request.clustering_column_names().end());
  StreamingQuery::Sink sink;
  if (request.has_path()) {
    write.path = request.path();
  } else if (request.has_table_name()) {
    MERGANSER_ASSIGN_OR_RETURN(write.table, ParseMultipartName(request.table_name(), {}));
  } else {
    const auto path = write.options.find("path");
    if (path == write.options.end())
      return UnsupportedStream("a Delta sink without a table or path");
    write.path = path->second;
  }
  sink.description = "DeltaSink[" + (write.path ? *write.path : request.table_name()) + "]";
  sink.run = [plan, write](const MicroBatch& batch) -> Status {
    const auto lock = plan.owner().statement_lock();
    plan::Write one = write;
    one.options["txnVersion"] = std::to_string(batch.id);
    MERGANSER_ASSIGN_OR_RETURN(one.query, plan.Over(batch.source));
    MERGANSER_RETURN_IF_ERROR(plan.owner().session().Execute({plan::Command(std::move(one)), {}}));
    return Status::Ok();
  };
  sink.interrupt = [plan] { plan.owner().session().Interrupt(); };
  return sink;
}

/// Rows are computed and forgotten.
StreamingQuery::Sink NoopSink(const StreamPlan& plan) {
  StreamingQuery::Sink sink;
  sink.description = "NoopSink";
  sink.run = [plan](const MicroBatch& batch) -> Status {
    const auto lock = plan.owner().statement_lock();
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, plan.Over(batch.source));
    MERGANSER_ASSIGN_OR_RETURN(ResultSet rows,
                               plan.owner().session().Execute({std::move(query), {}}));
    while (true) {
      MERGANSER_ASSIGN_OR_RETURN(const auto some, rows.Next());
      if (!some) return Status::Ok();
    }
  };
  sink.interrupt = [plan] { plan.owner().session().Interrupt(); };
  return sink;
}

}  // namespace

std::string StreamPlan::output_mode() const {
  return request_->output_mode().empty() ? "append" : AsciiLowerCase(request_->output_mode());
}

Result<plan::RelationPtr> StreamPlan::Over(const plan::RelationPtr& source) const {
  TranslationContext context = owner_->translation();
  context.streaming_source = [&source](const spark::connect::Read&) -> Result<plan::RelationPtr> {
    return source;
  };
  return TranslateRelation(request_->input(), context);
}

Result<StreamingQuery::Sink> MakeStreamSink(StreamPlan plan, const plan::RelationPtr& no_rows,
                                            const std::string& query_id, const std::string& url,
                                            const PythonEnvironment& python) {
  const WriteStreamOperationStart& request = plan.request();
  if (request.has_foreach_writer()) return UnsupportedStream("foreach");
  const std::string format = AsciiLowerCase(request.format());
  const auto make = [&]() -> Result<StreamingQuery::Sink> {
    if (request.has_foreach_batch()) return FunctionSink(plan, url, python);
    if (format == "memory") return MemorySink(plan, no_rows);
    if (format == "noop") return NoopSink(plan);
    if (format.empty() || format == "delta") return DeltaSink(plan, query_id);
    return UnsupportedStream("a sink of the format " + request.format());
  };
  MERGANSER_ASSIGN_OR_RETURN(StreamingQuery::Sink sink, make());
  sink.takes_all_rows = plan.output_mode() == "complete";
  return sink;
}

}  // namespace merganser::connect
