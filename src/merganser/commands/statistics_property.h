#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Check that delta.dataSkippingStatsColumns, where `configuration` has it, names columns that can
/// have statistics.
///
/// Fails with DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
/// DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_PARTITIONED_COLUMN,
/// DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_TYPE for a type without bounds that is named itself
/// (inside a struct it is passed over), and DELTA_DUPLICATE_DATA_SKIPPING_COLUMNS.
Status CheckStatisticsProperty(const StructType& schema,
                               const std::vector<std::string>& partition_columns,
                               const StringMap& configuration);

}  // namespace merganser
