#pragma once

#include "merganser/spark/plan/literal.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// Does the word INTERVAL at the cursor begin a literal with units, `INTERVAL 1 DAY` or
/// `INTERVAL '1-2' YEAR TO MONTH`? False for the column `interval` and for `INTERVAL '1 day'`.
bool PeekIntervalWithUnits(const TokenStream& in);

/// The interval literal with units at the cursor.
Result<plan::Literal> ParseIntervalWithUnits(TokenStream& in);

/// The value of `INTERVAL 'text'`; nullopt if the text is no interval. Fails with
/// _LEGACY_ERROR_TEMP_0029 for units of both kinds. `written` is the whole literal.
Result<std::optional<plan::Literal>> ReadTypedInterval(std::string_view text,
                                                       std::string_view written);

}  // namespace merganser
