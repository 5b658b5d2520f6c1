#include "merganser/engine/result_stream.h"

#include <utility>

#include <duckdb/common/arrow/arrow_appender.hpp>
#include <duckdb/common/arrow/arrow_converter.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/result_stream_native.h"

namespace merganser::engine {
namespace {

// A batch ends at whichever comes first.
constexpr duckdb::idx_t kBatchRows = 65536;
constexpr duckdb::idx_t kBatchBytes = 16 << 20;

// Bytes of the variable-length values in the first `count` rows; fixed-width ones count 8.
duckdb::idx_t EstimateBytes(duckdb::Vector& vector, duckdb::idx_t count) {
  switch (vector.GetType().InternalType()) {
    case duckdb::PhysicalType::VARCHAR: {
      duckdb::UnifiedVectorFormat format;
      vector.ToUnifiedFormat(count, format);
      const auto* values = duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format);
      duckdb::idx_t bytes = 0;
      for (duckdb::idx_t i = 0; i < count; ++i) {
        const auto slot = format.sel->get_index(i);
        if (format.validity.RowIsValid(slot)) bytes += values[slot].GetSize();
      }
      return bytes;
    }
    case duckdb::PhysicalType::LIST: {
      vector.Flatten(count);
      return EstimateBytes(duckdb::ListVector::GetEntry(vector),
                           duckdb::ListVector::GetListSize(vector));
    }
    case duckdb::PhysicalType::STRUCT: {
      vector.Flatten(count);
      duckdb::idx_t bytes = 0;
      for (auto& child : duckdb::StructVector::GetEntries(vector))
        bytes += EstimateBytes(*child, count);
      return bytes;
    }
    default:
      return count * 8;
  }
}

duckdb::idx_t EstimateBytes(duckdb::DataChunk& chunk) {
  duckdb::idx_t bytes = 0;
  for (auto& vector : chunk.data) bytes += EstimateBytes(vector, chunk.size());
  return bytes;
}

}  // namespace

ResultStream::ResultStream(std::unique_ptr<Native> native, StructType schema)
    : native_(std::move(native)), schema_(std::move(schema)) {}

ResultStream::~ResultStream() = default;

Result<ArrowSchemaOwner> ResultStream::ExportSchema() const {
  try {
    ArrowSchemaOwner schema;
    duckdb::ArrowConverter::ToArrowSchema(schema.out(), native_->result->types,
                                          native_->result->names, native_->properties);
    return schema;
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

Result<std::optional<ArrowBatch>> ResultStream::Next() {
  if (native_->at_end) return std::optional<ArrowBatch>();
  try {
    duckdb::ArrowAppender appender(native_->result->types, STANDARD_VECTOR_SIZE,
                                   native_->properties, {});
    duckdb::idx_t bytes = 0;
    while (appender.RowCount() < kBatchRows && bytes < kBatchBytes) {
      auto chunk = native_->result->Fetch();
      if (!chunk || chunk->size() == 0) {
        native_->at_end = true;
        break;
      }
      bytes += EstimateBytes(*chunk);
      appender.Append(*chunk, 0, chunk->size(), chunk->size());
    }
    if (native_->result->HasError()) {
      native_->at_end = true;
      return FromEngineError(native_->result->GetErrorObject());
    }
    if (appender.RowCount() == 0) return std::optional<ArrowBatch>();
    return std::optional<ArrowBatch>(ArrowBatch(appender.Finalize()));
  } catch (const std::exception& exception) {
    native_->at_end = true;
    return FromException(exception);
  }
}

}  // namespace merganser::engine
