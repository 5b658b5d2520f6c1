#pragma once

#include <cstdint>
#include <vector>

#include "merganser/arrow/column.h"
#include "merganser/base/result.h"
#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser::engine {

/// Hand the actions in rows of a checkpoint to `visitor`.
///
/// `columns` are those of CheckpointSchema or some of them, `num_rows` long. Where an add action
/// has no `stats`, its text is made of `stats_parsed`, if that is among its fields, with
/// `statistics_columns`. Fails with DELTA_LOG_CORRUPTED, naming `path`, if a field that an action
/// cannot do without is NULL.
Status ReadActions(const std::vector<ArrowColumn>& columns, const StructType& schema,
                   int64_t num_rows, const std::vector<StatisticsColumn>& statistics_columns,
                   const std::string& path, ActionVisitor& visitor);

}  // namespace merganser::engine
