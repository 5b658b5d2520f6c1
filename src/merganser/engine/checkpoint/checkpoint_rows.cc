#include "merganser/engine/checkpoint/checkpoint_rows.h"

#include <utility>

#include <duckdb.hpp>
#include <duckdb/execution/execution_context.hpp>
#include <duckdb/function/table_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/checkpoint/action_reader.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/handle_registry.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/scan/scan_handle.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;

HandleRegistry<const CheckpointRows>& Registry() {
  static auto* registry = new HandleRegistry<const CheckpointRows>("c");
  return *registry;
}

class RegisteredRows {
 public:
  explicit RegisteredRows(const CheckpointRows& rows)
      : name_(Registry().Add(std::make_shared<const CheckpointRows>(rows))) {}
  RegisteredRows(const RegisteredRows&) = delete;
  RegisteredRows& operator=(const RegisteredRows&) = delete;
  ~RegisteredRows() { Registry().Release(name_); }

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

/// What one thread reads.
class RowsOfThread {
 public:
  explicit RowsOfThread(const CheckpointRows& rows)
      : rows_(rows), actions_(rows.source->schema, rows.statistics_columns) {}

  /// The last two columns are the number of the file and that of the row.
  void Read(duckdb::DataChunk& chunk) {
    actions_.Bind(chunk);
    duckdb::UnifiedVectorFormat files;
    duckdb::UnifiedVectorFormat numbers;
    const idx_t num_columns = chunk.ColumnCount();
    chunk.data[num_columns - 2].ToUnifiedFormat(chunk.size(), files);
    chunk.data[num_columns - 1].ToUnifiedFormat(chunk.size(), numbers);
    for (idx_t row = 0; row < chunk.size(); ++row) {
      const CheckpointPlace place{
          duckdb::UnifiedVectorFormat::GetData<uint64_t>(files)[files.sel->get_index(row)],
          duckdb::UnifiedVectorFormat::GetData<int64_t>(numbers)[numbers.sel->get_index(row)]};
      if (visitor_ == nullptr || place != next_) visitor_ = &rows_.visitors(place);
      next_ = {place.file, place.row + 1};
      if (actions_.Read(row, *visitor_)) continue;
      ThrowError(
          Error(ErrorClass::DELTA_LOG_CORRUPTED, {{"file", rows_.names[place.file]},
                                                  {"line", std::to_string(place.row)},
                                                  {"reason", "an action lacks a required field"}}));
    }
  }

 private:
  const CheckpointRows& rows_;
  ActionReader actions_;
  ActionVisitor* visitor_ = nullptr;
  CheckpointPlace next_;
};

struct BindData : duckdb::TableFunctionData {
  std::shared_ptr<const CheckpointRows> rows;
};

// Without it the engine would run the whole scan on one thread.
struct GlobalState : duckdb::GlobalTableFunctionState {
  idx_t MaxThreads() const override { return MAX_THREADS; }
};

struct LocalState : duckdb::LocalTableFunctionState {
  explicit LocalState(const CheckpointRows& rows) : thread(rows) {}

  RowsOfThread thread;
};

duckdb::unique_ptr<duckdb::FunctionData> BindCheckpoint(duckdb::ClientContext&,
                                                        duckdb::TableFunctionBindInput& input,
                                                        duckdb::vector<duckdb::LogicalType>& types,
                                                        duckdb::vector<duckdb::string>& names) {
  auto bind_data = duckdb::make_uniq<BindData>();
  bind_data->rows = Registry().Find(duckdb::StringValue::Get(input.inputs[1]));
  if (!bind_data->rows)
    ThrowError(Error::Internal("A statement refers to a checkpoint that has been released"));
  duckdb::vector<duckdb::LogicalType> expected;
  for (const StructField& column : bind_data->rows->source->schema)
    expected.push_back(ToLogicalType(column.type));
  expected.push_back(duckdb::LogicalType::UBIGINT);
  expected.push_back(duckdb::LogicalType::BIGINT);
  if (input.input_table_types != expected)
    ThrowError(Error::Internal("The columns of a checkpoint are of other types than its schema"));
  types = {duckdb::LogicalType::BIGINT};
  names = {"nothing"};
  return bind_data;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartCheckpoint(
    duckdb::ClientContext&, duckdb::TableFunctionInitInput&) {
  return duckdb::make_uniq<GlobalState>();
}

duckdb::unique_ptr<duckdb::LocalTableFunctionState> StartThread(
    duckdb::ExecutionContext&, duckdb::TableFunctionInitInput& input,
    duckdb::GlobalTableFunctionState*) {
  return duckdb::make_uniq<LocalState>(*input.bind_data->Cast<BindData>().rows);
}

duckdb::OperatorResultType ReadChunk(duckdb::ExecutionContext&, duckdb::TableFunctionInput& data,
                                     duckdb::DataChunk& input, duckdb::DataChunk& output) {
  data.local_state->Cast<LocalState>().thread.Read(input);
  output.SetCardinality(0);
  return duckdb::OperatorResultType::NEED_MORE_INPUT;
}

}  // namespace

Status ReadCheckpointRows(Connection& connection, const CheckpointRows& rows) {
  const ScanHandle scan = RegisterScan(rows.source);
  const RegisteredRows registered(rows);
  auto executed =
      connection.Execute("SELECT * FROM mg_checkpoint((SELECT *, " + std::string(kFileIndexColumn) +
                         ", " + std::string(kFileRowNumberColumn) + " FROM " + scan.sql() + "), '" +
                         registered.name() + "')");
  return executed.ok() ? Status::Ok() : Status(std::move(executed).error());
}

void RegisterCheckpointFunction(duckdb::DatabaseInstance& database) {
  duckdb::TableFunction function("mg_checkpoint",
                                 {duckdb::LogicalType::TABLE, duckdb::LogicalType::VARCHAR},
                                 nullptr, BindCheckpoint, StartCheckpoint, StartThread);
  function.in_out_function = ReadChunk;
  duckdb::ExtensionLoader(database, "merganser").RegisterFunction(std::move(function));
}

}  // namespace merganser::engine
