#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "merganser/delta/schema/data_type.h"

namespace merganser::plan {

/// Unscaled value of a decimal; precision and scale come with its DataType.
struct DecimalValue {
  __int128 unscaled = 0;
  bool operator==(const DecimalValue& other) const = default;
};

/// The value of a literal, read together with its DataType:
/// monostate = NULL; bool = BOOLEAN; int64_t = BYTE..LONG, DATE (days since 1970-01-01), TIMESTAMP
/// and TIMESTAMP_NTZ (microseconds since 1970-01-01 00:00:00), year-month interval (months),
/// day-time interval (microseconds); double = FLOAT, DOUBLE; string = STRING (UTF-8) and BINARY
/// (raw bytes).
using LiteralValue = std::variant<std::monostate, bool, int64_t, double, DecimalValue, std::string>;

/// A typed constant.
struct Literal {
  DataType type;
  LiteralValue value;

  bool is_null() const { return std::holds_alternative<std::monostate>(value); }
  bool operator==(const Literal& other) const = default;
};

}  // namespace merganser::plan
