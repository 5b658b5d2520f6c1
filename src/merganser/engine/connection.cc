#include "merganser/engine/connection.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <duckdb/main/client_config.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/native.h"
#include "merganser/engine/result_stream_native.h"
#include "merganser/engine/statement_run.h"

namespace merganser::engine {

Connection::Connection(std::shared_ptr<Database> database, std::unique_ptr<Native> native)
    : database_(std::move(database)), native_(std::move(native)) {}

Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::Open(std::shared_ptr<Database> database) {
  try {
    auto native = std::make_unique<Native>(*database->native().database);
    duckdb::ClientContext& context = *native->connection.context;
    // Progress is kept only if a progress bar is on; nobody prints it.
    auto& config = duckdb::ClientConfig::GetConfig(context);
    config.enable_progress_bar = true;
    config.print_progress_bar = false;
    config.wait_time = 0;
    return std::unique_ptr<Connection>(new Connection(std::move(database), std::move(native)));
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

Result<int64_t> Connection::Execute(const std::string& sql) {
  try {
    auto result = RunStatement(native_->connection, sql);
    if (result->HasError()) return FromEngineError(result->GetErrorObject());
    // Statements that change rows answer with their number; so does CREATE TABLE AS.
    const bool counts = result->statement_type != duckdb::StatementType::SELECT_STATEMENT &&
                        result->ColumnCount() == 1 &&
                        result->types[0] == duckdb::LogicalType::BIGINT;
    if (!counts) return int64_t{0};
    auto& rows = result->Cast<duckdb::MaterializedQueryResult>();
    return rows.RowCount() == 1 ? rows.GetValue(0, 0).GetValue<int64_t>() : int64_t{0};
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

Result<std::unique_ptr<ResultStream>> Connection::Query(const std::string& sql) {
  try {
    auto result = native_->connection.SendQuery(sql);
    if (result->HasError()) return FromEngineError(result->GetErrorObject());
    StructType schema;
    for (duckdb::idx_t i = 0; i < result->types.size(); ++i) {
      schema.Add({result->names[i], FromLogicalType(result->types[i])});
    }
    auto native = std::make_unique<ResultStream::Native>();
    native->properties = native_->connection.context->GetClientProperties();
    native->result = std::move(result);
    return std::make_unique<ResultStream>(std::move(native), std::move(schema));
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

Result<RowTable> Connection::QueryTable(const std::string& sql) {
  MERGANSER_ASSIGN_OR_RETURN(auto stream, Query(sql));
  std::vector<ArrowBatch> batches;
  while (true) {
    MERGANSER_ASSIGN_OR_RETURN(auto batch, stream->Next());
    if (!batch) break;
    batches.push_back(*std::move(batch));
  }
  MERGANSER_ASSIGN_OR_RETURN(auto arrow_schema, stream->ExportSchema());
  return RowTable::Make(stream->schema(), std::move(arrow_schema), std::move(batches));
}

void Connection::Interrupt() { native_->connection.Interrupt(); }

Progress Connection::progress() const {
  duckdb::ClientContext& context = *native_->connection.context;
  auto query = context.GetQueryProgress();
  Progress progress;
  progress.fraction = std::clamp(query.GetPercentage() / 100, 0.0, 1.0);
  progress.rows = query.GetRowsProcesseed();
  progress.bytes = StatementCounters::Of(context).bytes_opened;
  return progress;
}

}  // namespace merganser::engine
