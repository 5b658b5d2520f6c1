#include "merganser/engine/sink/register_sink.h"

#include <memory>
#include <utility>

#include <duckdb.hpp>
#include <duckdb/execution/execution_context.hpp>
#include <duckdb/function/table_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/sink/sink_run.h"

namespace merganser::engine {
namespace {

struct SinkBindData : duckdb::TableFunctionData {
  std::shared_ptr<SinkRun> run;
};

// Without it the engine would run a whole pipeline that ends here on one thread.
struct SinkGlobalState : duckdb::GlobalTableFunctionState {
  duckdb::idx_t MaxThreads() const override { return MAX_THREADS; }
};

struct SinkLocalState : duckdb::LocalTableFunctionState {
  SinkRun::Local local;
};

duckdb::unique_ptr<duckdb::FunctionData> BindSink(duckdb::ClientContext& context,
                                                  duckdb::TableFunctionBindInput& input,
                                                  duckdb::vector<duckdb::LogicalType>& types,
                                                  duckdb::vector<duckdb::string>& names) {
  auto bind_data = duckdb::make_uniq<SinkBindData>();
  bind_data->run = FindSinkRun(duckdb::StringValue::Get(input.inputs[1]));
  if (!bind_data->run)
    ThrowError(Error::Internal("A statement refers to a sink that has been released"));
  const auto& columns = input.input_table_types;
  if (columns.empty() || columns[0] != duckdb::LogicalType::INTEGER) {
    ThrowError(Error::Internal("The first column of a sink is not an INTEGER route"));
  }
  bind_data->run->Prepare(context,
                          duckdb::vector<duckdb::LogicalType>(columns.begin() + 1, columns.end()));
  types = {duckdb::LogicalType::BIGINT};
  names = {"nothing"};
  return bind_data;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartSink(duckdb::ClientContext&,
                                                               duckdb::TableFunctionInitInput&) {
  return duckdb::make_uniq<SinkGlobalState>();
}

duckdb::unique_ptr<duckdb::LocalTableFunctionState> StartSinkOfThread(
    duckdb::ExecutionContext&, duckdb::TableFunctionInitInput& input,
    duckdb::GlobalTableFunctionState*) {
  auto state = duckdb::make_uniq<SinkLocalState>();
  state->local = input.bind_data->Cast<SinkBindData>().run->MakeLocal();
  return state;
}

duckdb::OperatorResultType Append(duckdb::ExecutionContext& context,
                                  duckdb::TableFunctionInput& data, duckdb::DataChunk& input,
                                  duckdb::DataChunk& output) {
  if (input.size() > 0) {
    data.bind_data->Cast<SinkBindData>().run->Append(
        context.client, data.local_state->Cast<SinkLocalState>().local, input);
  }
  output.SetCardinality(0);
  return duckdb::OperatorResultType::NEED_MORE_INPUT;
}

duckdb::OperatorFinalizeResultType Combine(duckdb::ExecutionContext& context,
                                           duckdb::TableFunctionInput& data,
                                           duckdb::DataChunk& output) {
  data.bind_data->Cast<SinkBindData>().run->Combine(context.client,
                                                    data.local_state->Cast<SinkLocalState>().local);
  output.SetCardinality(0);
  return duckdb::OperatorFinalizeResultType::FINISHED;
}

}  // namespace

void RegisterSinkFunction(duckdb::DatabaseInstance& database) {
  duckdb::ExtensionLoader loader(database, "merganser");
  duckdb::TableFunction sink("mg_sink", {duckdb::LogicalType::TABLE, duckdb::LogicalType::VARCHAR},
                             nullptr, BindSink, StartSink, StartSinkOfThread);
  sink.in_out_function = Append;
  sink.in_out_function_final = Combine;
  loader.RegisterFunction(std::move(sink));
}

}  // namespace merganser::engine
