#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <parquet_types.h>

#include "merganser/delta/protocol/statistics.h"

namespace merganser::engine {

/// Exact statistics of one leaf over the row groups `kept`, from what their footer says; see
/// DataFileFooter::Statistics.
std::optional<ColumnStatistics> FooterStatistics(const duckdb_parquet::FileMetaData& footer,
                                                 const std::vector<size_t>& kept,
                                                 const StatisticsColumn& column);

/// Make `statistics` enclose `other` as well.
void MergeStatistics(const ColumnStatistics& other, ColumnStatistics& statistics);

/// The chunk of a leaf; null if the row group has none.
const duckdb_parquet::ColumnChunk* FindChunk(const duckdb_parquet::RowGroup& group,
                                             const std::vector<std::string>& path);

/// Is the top-level column `name` stored as our own writer stores a `type`?
bool StoresAsWriter(const duckdb_parquet::FileMetaData& footer, const std::string& name,
                    const DataType& type);

}  // namespace merganser::engine
