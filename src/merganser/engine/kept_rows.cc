#include "merganser/engine/kept_rows.h"

#include <memory>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/common/types/column/column_data_collection.hpp>
#include <duckdb/function/table_function.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/handle_registry.h"
#include "merganser/engine/native.h"
#include "merganser/engine/statement_run.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;

/// Chunks that are worth a thread of their own.
constexpr idx_t kChunksPerThread = 8;

struct Collection {
  duckdb::vector<duckdb::string> names;
  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
};

HandleRegistry<const Collection>& Collections() {
  static auto* collections = new HandleRegistry<const Collection>("r");
  return *collections;
}

struct KeptRowsBindData : duckdb::TableFunctionData {
  std::shared_ptr<const Collection> collection;
};

struct KeptRowsGlobalState : duckdb::GlobalTableFunctionState {
  duckdb::ColumnDataParallelScanState scan;
  /// By column of the output, its place in a chunk of the scan.
  std::vector<duckdb::optional_idx> places;
  std::vector<bool> is_row_number;
  idx_t max_threads = 1;

  idx_t MaxThreads() const override { return max_threads; }
};

struct KeptRowsLocalState : duckdb::LocalTableFunctionState {
  duckdb::ColumnDataLocalScanState scan;
  duckdb::DataChunk chunk;
};

duckdb::unique_ptr<duckdb::FunctionData> Bind(duckdb::ClientContext&,
                                              duckdb::TableFunctionBindInput& input,
                                              duckdb::vector<duckdb::LogicalType>& types,
                                              duckdb::vector<duckdb::string>& names) {
  auto bind_data = duckdb::make_uniq<KeptRowsBindData>();
  bind_data->collection = Collections().Find(duckdb::StringValue::Get(input.inputs[0]));
  if (!bind_data->collection)
    ThrowError(Error::Internal("A statement refers to rows that have been released"));
  types = bind_data->collection->rows->Types();
  names = bind_data->collection->names;
  types.push_back(duckdb::LogicalType::BIGINT);
  names.emplace_back(kRowNumberColumn);
  return bind_data;
}

duckdb::unique_ptr<duckdb::GlobalTableFunctionState> StartGlobal(
    duckdb::ClientContext&, duckdb::TableFunctionInitInput& input) {
  const auto& rows = *input.bind_data->Cast<KeptRowsBindData>().collection->rows;
  auto state = duckdb::make_uniq<KeptRowsGlobalState>();
  duckdb::vector<duckdb::column_t> columns;
  for (const duckdb::column_t column : input.column_ids) {
    state->is_row_number.push_back(column == rows.ColumnCount());
    state->places.emplace_back();
    if (column >= rows.ColumnCount()) continue;
    state->places.back() = columns.size();
    columns.push_back(column);
  }
  if (columns.empty()) columns.push_back(0);
  rows.InitializeScan(state->scan, std::move(columns));
  state->max_threads = rows.ChunkCount() / kChunksPerThread + 1;
  return state;
}

duckdb::unique_ptr<duckdb::LocalTableFunctionState> StartLocal(
    duckdb::ExecutionContext&, duckdb::TableFunctionInitInput& input,
    duckdb::GlobalTableFunctionState* global) {
  auto state = duckdb::make_uniq<KeptRowsLocalState>();
  input.bind_data->Cast<KeptRowsBindData>().collection->rows->InitializeScanChunk(
      global->Cast<KeptRowsGlobalState>().scan.scan_state, state->chunk);
  return state;
}

void Scan(duckdb::ClientContext&, duckdb::TableFunctionInput& input, duckdb::DataChunk& output) {
  auto& global = input.global_state->Cast<KeptRowsGlobalState>();
  auto& local = input.local_state->Cast<KeptRowsLocalState>();
  const auto& rows = *input.bind_data->Cast<KeptRowsBindData>().collection->rows;
  if (!rows.Scan(global.scan, local.scan, local.chunk)) return;
  const idx_t count = local.chunk.size();
  for (idx_t i = 0; i < output.ColumnCount(); ++i) {
    if (global.places[i].IsValid()) {
      output.data[i].Reference(local.chunk.data[global.places[i].GetIndex()]);
    } else if (global.is_row_number[i]) {
      output.data[i].Sequence(static_cast<int64_t>(local.scan.current_row_index), 1, count);
    } else {
      // A column that nobody reads, where only rows are counted.
      output.data[i].Reference(duckdb::Value(output.data[i].GetType()));
    }
  }
  output.SetCardinality(count);
}

duckdb::unique_ptr<duckdb::NodeStatistics> Cardinality(duckdb::ClientContext&,
                                                       const duckdb::FunctionData* bind_data) {
  const idx_t count = bind_data->Cast<KeptRowsBindData>().collection->rows->Count();
  return duckdb::make_uniq<duckdb::NodeStatistics>(count, count);
}

}  // namespace

KeptRows::KeptRows(KeptRows&& other) noexcept
    : name_(std::exchange(other.name_, {})),
      num_rows_(other.num_rows_),
      is_large_(other.is_large_) {}

KeptRows& KeptRows::operator=(KeptRows&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(num_rows_, other.num_rows_);
  std::swap(is_large_, other.is_large_);
  return *this;
}

KeptRows::~KeptRows() {
  if (!name_.empty()) Collections().Release(name_);
}

std::string KeptRows::sql() const { return "mg_rows('" + name_ + "')"; }

Result<KeptRows> KeptRows::Of(Connection& connection, const std::string& select_sql) {
  try {
    auto result = RunStatement(connection.native().connection, select_sql,
                               duckdb::QueryResultMemoryType::BUFFER_MANAGED);
    if (result->HasError()) return FromEngineError(result->GetErrorObject());
    auto collection = std::make_shared<Collection>();
    collection->names = result->names;
    collection->rows = result->Cast<duckdb::MaterializedQueryResult>().TakeCollection();
    KeptRows kept;
    kept.num_rows_ = static_cast<int64_t>(collection->rows->Count());
    kept.is_large_ = collection->rows->SizeInBytes() > duckdb::BufferManager::GetBufferManager(
                                                           *connection.native().connection.context)
                                                               .GetMaxMemory() /
                                                           8;
    kept.name_ = Collections().Add(std::move(collection));
    return kept;
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

void RegisterKeptRowsFunction(duckdb::DatabaseInstance& database) {
  duckdb::TableFunction scan("mg_rows", {duckdb::LogicalType::VARCHAR}, Scan, Bind, StartGlobal,
                             StartLocal);
  scan.cardinality = Cardinality;
  scan.projection_pushdown = true;
  duckdb::ExtensionLoader(database, "merganser").RegisterFunction(std::move(scan));
}

}  // namespace merganser::engine
