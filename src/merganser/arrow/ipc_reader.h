#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "merganser/arrow/arrow_table.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// Read Arrow IPC streams of one schema as one table, in the order given. The bytes are copied
/// once; nothing in them is trusted: every offset and length is checked against what is there.
///
/// Fails with CONNECT_INVALID_PLAN.CANNOT_PARSE where a stream is damaged or compressed, and with
/// UNSUPPORTED_ARROWTYPE for unsigned and half-precision numbers, dictionaries and whatever else
/// Spark does not take.
Result<std::shared_ptr<const ArrowTable>> ReadIpc(const std::vector<std::string_view>& streams);

/// The Spark schema that a table's Arrow schema stands for: timestamps with a zone are TIMESTAMP,
/// without one TIMESTAMP_NTZ; durations are day-time intervals. Fails with UNSUPPORTED_ARROWTYPE.
Result<StructType> SparkSchemaOf(const ArrowSchema& schema);

}  // namespace merganser
