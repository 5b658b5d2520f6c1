#include "merganser/engine/sink/file_writer.h"

#include <algorithm>
#include <utility>

#include "merganser/engine/sink/negative_zero.h"

namespace merganser::engine {

RowGroupBuffer::RowGroupBuffer(duckdb::ClientContext& context, const FileLayout& layout,
                               const StatisticsCollector& nothing)
    : rows(duckdb::make_uniq<duckdb::ColumnDataCollection>(context, layout.types())),
      statistics(nothing) {}

void RowGroupBuffer::Append(duckdb::DataChunk& chunk) {
  statistics.Update(chunk);
  has_negative_zero =
      has_negative_zero || std::ranges::any_of(chunk.data, [&](duckdb::Vector& column) {
        return HoldsNegativeZero(column, chunk.size());
      });
  rows->Append(chunk);
}

void RowGroupBuffer::Combine(RowGroupBuffer& other) {
  statistics.Merge(other.statistics);
  has_negative_zero = has_negative_zero || other.has_negative_zero;
  rows->Combine(*other.rows);
}

FileWriter::FileWriter(duckdb::ClientContext& context, const FileLayout& layout,
                       const StatisticsCollector& nothing, std::string path)
    : layout_(layout),
      path_(std::move(path)),
      state_(layout.writer().copy_to_initialize_global(context, layout.bind_data(), path_)),
      statistics_(nothing) {}

void FileWriter::WriteRowGroup(duckdb::ClientContext& context, RowGroupBuffer buffer) {
  // The writer's dictionaries take -0.0 for 0.0. Rows with a -0.0 are therefore encoded by a writer
  // without dictionaries, whose own file stays empty, and appended to this one.
  duckdb::unique_ptr<duckdb::GlobalFunctionData> without_dictionaries;
  if (buffer.has_negative_zero) {
    without_dictionaries = layout_.writer().copy_to_initialize_global(
        context, layout_.bind_data_without_dictionaries(), "/dev/null");
  }
  auto encoded = layout_.writer().prepare_batch(
      context, layout_.bind_data(), without_dictionaries ? *without_dictionaries : *state_,
      std::move(buffer.rows));
  const std::lock_guard lock(mutex_);
  layout_.writer().flush_batch(context, layout_.bind_data(), *state_, *encoded);
  statistics_.Merge(buffer.statistics);
}

bool FileWriter::IsLargerThan(int64_t bytes) {
  const std::lock_guard lock(mutex_);
  return layout_.writer().rotate_next_file(*state_, layout_.bind_data(),
                                           duckdb::optional_idx(static_cast<duckdb::idx_t>(bytes)));
}

void FileWriter::Finish(duckdb::ClientContext& context) {
  layout_.writer().copy_to_finalize(context, layout_.bind_data(), *state_);
  state_.reset();
}

}  // namespace merganser::engine
