#include "merganser/engine/parquet_copy.h"

#include <utility>

#include <duckdb/catalog/catalog.hpp>
#include <duckdb/catalog/catalog_entry/copy_function_catalog_entry.hpp>
#include <duckdb/parser/parsed_data/copy_info.hpp>

namespace merganser::engine {

ParquetCopy BindParquetCopy(duckdb::ClientContext& context,
                            const duckdb::vector<duckdb::string>& names,
                            const duckdb::vector<duckdb::LogicalType>& types,
                            const ParquetOptions& options) {
  duckdb::CopyInfo copy;
  copy.format = "parquet";
  copy.is_from = false;
  copy.options["write_bloom_filter"] = {duckdb::Value::BOOLEAN(false)};
  for (const auto& [name, value] : options) copy.options[name] = {value};
  const auto& entry =
      duckdb::Catalog::GetSystemCatalog(context).GetEntry<duckdb::CopyFunctionCatalogEntry>(
          context, DEFAULT_SCHEMA, "parquet");
  ParquetCopy bound{entry.function, nullptr};
  duckdb::CopyFunctionBindInput input(copy, bound.writer.function_info);
  bound.bind_data = bound.writer.copy_to_bind(context, input, names, types);
  return bound;
}

}  // namespace merganser::engine
