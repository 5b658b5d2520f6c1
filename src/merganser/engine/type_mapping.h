#pragma once

#include <string>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// The engine's SQL name of the type that carries values of `type`.
///
/// TIMESTAMP is TIMESTAMPTZ, TIMESTAMP_NTZ is TIMESTAMP, BYTE to LONG are TINYINT to BIGINT, FLOAT
/// is REAL, BINARY is BLOB; STRING, CHAR and VARCHAR are VARCHAR; VARIANT is the VARCHAR of its
/// JSON text; a year-month interval is the INTEGER of its months, a day-time interval the BIGINT of
/// its microseconds, a calendar interval INTERVAL; VOID is INTEGER, always NULL.
std::string EngineTypeSql(const DataType& type);

}  // namespace merganser::engine
