#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/connection.h"

namespace merganser::engine {

/// Statistics of rows that are there already: of those that `select_sql` gives, whose columns are
/// `schema`'s, as a sink would report them. Fails as Connection's statements do.
Result<FileStatistics> CollectStatistics(Connection& connection, const std::string& select_sql,
                                         const StructType& schema,
                                         const std::vector<StatisticsColumn>& columns);

}  // namespace merganser::engine
