#include "merganser/engine/checkpoint/action_file.h"

#include <utility>

#include <duckdb/common/types/column/column_data_collection.hpp>

#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

constexpr duckdb::idx_t kRowGroupRows = 122880;

}  // namespace

ActionFile::ActionFile(duckdb::ClientContext& context, const StructType& schema,
                       const std::string& compression, const std::string& path)
    : context_(context) {
  duckdb::vector<duckdb::string> names;
  for (const StructField& field : schema) {
    names.push_back(field.name);
    types_.push_back(ToLogicalType(field.type));
  }
  copy_ = BindParquetCopy(context, names, types_, {{"compression", duckdb::Value(compression)}});
  state_ = copy_.writer.copy_to_initialize_global(context, *copy_.bind_data, path);
  rows_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, types_);
}

void ActionFile::Append(duckdb::DataChunk& rows) {
  rows_->Append(rows);
  if (rows_->Count() >= kRowGroupRows) WriteRowGroup();
}

void ActionFile::Finish() {
  if (rows_->Count() > 0) WriteRowGroup();
  copy_.writer.copy_to_finalize(context_, *copy_.bind_data, *state_);
  state_.reset();
}

void ActionFile::WriteRowGroup() {
  auto rows = duckdb::make_uniq<duckdb::ColumnDataCollection>(context_, types_);
  std::swap(rows, rows_);
  const auto encoded =
      copy_.writer.prepare_batch(context_, *copy_.bind_data, *state_, std::move(rows));
  copy_.writer.flush_batch(context_, *copy_.bind_data, *state_, *encoded);
}

}  // namespace merganser::engine
