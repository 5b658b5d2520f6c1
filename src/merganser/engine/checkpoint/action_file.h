#pragma once

#include <string>

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/parquet_copy.h"

namespace merganser::engine {

/// A Parquet file of rows of `schema` being written by the engine's own writer, without a statement
/// of its own: what a statement costs is more than a small checkpoint does.
///
/// Works inside of a transaction of `context`. Throws what the engine throws.
class ActionFile {
 public:
  /// Creates the file. `compression` is the engine's name of a codec.
  ActionFile(duckdb::ClientContext& context, const StructType& schema,
             const std::string& compression, const std::string& path);

  void Append(duckdb::DataChunk& rows);
  /// Write the rest and the footer.
  void Finish();

 private:
  void WriteRowGroup();

  duckdb::ClientContext& context_;
  duckdb::vector<duckdb::LogicalType> types_;
  ParquetCopy copy_;
  duckdb::unique_ptr<duckdb::GlobalFunctionData> state_;
  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows_;
};

}  // namespace merganser::engine
