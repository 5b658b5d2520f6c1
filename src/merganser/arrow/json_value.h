#pragma once

#include <cstdint>
#include <string>

#include "merganser/arrow/column.h"

namespace merganser {

/// Append the value at `row` of `column` to `out` as JSON text.
///
/// Integers, floats and booleans are JSON's own; NaN and infinities are "NaN", "Infinity",
/// "-Infinity"; decimals are text with exactly their scale; dates "YYYY-MM-DD"; timestamps
/// "YYYY-MM-DD hh:mm:ss[.ffffff]" in UTC; binary is lower-case hex text; arrays are lists, structs
/// objects in field order, maps lists of [key, value] pairs; a variant is its JSON as text;
/// year-month intervals are months, day-time intervals microseconds; NULL is null.
void AppendJsonValue(const ArrowColumn& column, int64_t row, std::string* out);

}  // namespace merganser
