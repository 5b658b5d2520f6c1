#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <duckdb.hpp>

#include "merganser/engine/parquet_copy.h"
#include "merganser/engine/sink/sink.h"

namespace merganser::engine {

/// How rows of a family lie in its files: which columns are stored, under which names, types and
/// ids.
class FileLayout {
 public:
  /// VOID columns are not stored, partition columns only if the family says so, after the others.
  /// Throws through the engine what its Parquet writer objects to.
  FileLayout(duckdb::ClientContext& context, const SinkSpec& spec, const SinkFamily& family);

  /// Positions in the family's schema of the stored columns.
  const std::vector<size_t>& stored_columns() const { return stored_columns_; }
  /// Is the i-th stored column a variant, or does it hold some: JSON text in the input, two byte
  /// strings in the file?
  bool holds_variants(size_t i) const { return variants_[i]; }
  /// Positions in the family's schema of the partition columns.
  const std::vector<size_t>& partition_columns() const { return partition_columns_; }
  /// The stored columns with physical names at every level.
  const StructType& physical_schema() const { return physical_schema_; }
  const duckdb::vector<duckdb::LogicalType>& types() const { return types_; }
  /// Rows that take more memory than this are a row group, however few they are.
  uint64_t row_group_bytes() const { return row_group_bytes_; }
  /// ".snappy.parquet".
  const std::string& extension() const { return extension_; }

  const duckdb::CopyFunction& writer() const { return copy_.writer; }
  duckdb::FunctionData& bind_data() const { return *copy_.bind_data; }
  /// The same, for a writer that writes every column plainly.
  duckdb::FunctionData& bind_data_without_dictionaries() const { return *plain_copy_.bind_data; }

 private:
  std::vector<size_t> stored_columns_;
  std::vector<bool> variants_;
  std::vector<size_t> partition_columns_;
  StructType physical_schema_;
  duckdb::vector<duckdb::LogicalType> types_;
  uint64_t row_group_bytes_;
  std::string extension_;
  ParquetCopy copy_;
  ParquetCopy plain_copy_;
};

}  // namespace merganser::engine
