#include "merganser/engine/checkpoint/action_file.h"

#include <utility>

#include <duckdb/catalog/catalog.hpp>
#include <duckdb/catalog/catalog_entry/copy_function_catalog_entry.hpp>
#include <duckdb/common/types/column/column_data_collection.hpp>
#include <duckdb/parser/parsed_data/copy_info.hpp>

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
  duckdb::CopyInfo options;
  options.format = "parquet";
  options.is_from = false;
  options.file_path = path;
  options.options["compression"] = {duckdb::Value(compression)};
  options.options["write_bloom_filter"] = {duckdb::Value::BOOLEAN(false)};
  auto& entry =
      duckdb::Catalog::GetSystemCatalog(context).GetEntry<duckdb::CopyFunctionCatalogEntry>(
          context, DEFAULT_SCHEMA, "parquet");
  writer_ = std::make_unique<duckdb::CopyFunction>(entry.function);
  duckdb::CopyFunctionBindInput input(options, writer_->function_info);
  bind_data_ = writer_->copy_to_bind(context, input, names, types_);
  state_ = writer_->copy_to_initialize_global(context, *bind_data_, path);
  rows_ = duckdb::make_uniq<duckdb::ColumnDataCollection>(context, types_);
}

void ActionFile::Append(duckdb::DataChunk& rows) {
  rows_->Append(rows);
  if (rows_->Count() >= kRowGroupRows) WriteRowGroup();
}

void ActionFile::Finish() {
  if (rows_->Count() > 0) WriteRowGroup();
  writer_->copy_to_finalize(context_, *bind_data_, *state_);
  state_.reset();
}

void ActionFile::WriteRowGroup() {
  auto rows = duckdb::make_uniq<duckdb::ColumnDataCollection>(context_, types_);
  std::swap(rows, rows_);
  const auto encoded = writer_->prepare_batch(context_, *bind_data_, *state_, std::move(rows));
  writer_->flush_batch(context_, *bind_data_, *state_, *encoded);
}

}  // namespace merganser::engine
