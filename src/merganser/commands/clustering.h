#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Names from the column to the field.
using ColumnPath = std::vector<std::string>;

/// The domain that says how a table is clustered ("Clustered Table" in PROTOCOL.md).
inline constexpr std::string_view kClusteringDomain = "delta.clustering";

/// Logical names of the columns that a table is clustered by; empty if there are none.
std::vector<ColumnPath> ClusteringColumns(const Snapshot& snapshot);

/// Find the columns that CLUSTER BY names in a schema; the result has the schema's spelling.
///
/// Fails with DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS, DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
/// DELTA_DUPLICATE_COLUMNS_FOUND, DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED and
/// DELTA_CLUSTERING_COLUMN_MISSING_STATS.
Result<std::vector<ColumnPath>> FindClusteringColumns(
    const std::vector<ColumnPath>& wanted, const StructType& schema,
    const std::vector<std::string>& partition_columns, const TableProperties& properties);

/// The domain's action for columns given by FindClusteringColumns.
DomainMetadata ClusteringAction(const std::vector<ColumnPath>& columns, const StructType& schema,
                                ColumnMappingMode mode);

/// The paths as SQL, parts quoted where needed.
std::vector<std::string> ToStrings(const std::vector<ColumnPath>& columns);

}  // namespace merganser
