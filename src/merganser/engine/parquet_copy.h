#pragma once

#include <string>

#include <duckdb.hpp>
#include <duckdb/function/copy_function.hpp>

namespace merganser::engine {

/// The engine's Parquet writer, bound to columns and options; files are made with its callbacks,
/// without a COPY statement.
struct ParquetCopy {
  duckdb::CopyFunction writer = duckdb::CopyFunction("parquet");
  duckdb::unique_ptr<duckdb::FunctionData> bind_data;
};

/// Options of COPY ... TO (FORMAT parquet), one value each.
using ParquetOptions = duckdb::case_insensitive_map_t<duckdb::Value>;

/// Bind the writer, without bloom filters, to columns `names` of `types`. Needs a transaction of
/// `context`. Throws what the engine objects to.
ParquetCopy BindParquetCopy(duckdb::ClientContext& context,
                            const duckdb::vector<duckdb::string>& names,
                            const duckdb::vector<duckdb::LogicalType>& types,
                            const ParquetOptions& options);

}  // namespace merganser::engine
