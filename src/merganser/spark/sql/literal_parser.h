#pragma once

#include <optional>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// Does a literal start at the cursor: a number (also with a minus sign), a string, NULL, TRUE,
/// FALSE, a typed literal such as DATE '...', an INTERVAL?
bool PeekLiteral(const TokenStream& in);

/// The literal at the cursor.
///
/// The result is a Literal, but for timestamps of a region's time zone and values relative to the
/// clock (`TIMESTAMP '12:00'`, `DATE 'today'`), which are expressions that the analyser evaluates.
/// Fails with INVALID_TYPED_LITERAL, UNSUPPORTED_TYPED_LITERAL, UNSUPPORTED_TIME_TYPE,
/// INVALID_NUMERIC_LITERAL_RANGE, INVALID_INTERVAL_FORMAT.*.
Result<plan::ExpressionPtr> ParseLiteral(TokenStream& in);

}  // namespace merganser
