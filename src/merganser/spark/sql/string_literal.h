#pragma once

#include <string>
#include <string_view>

#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// The value of one string token: quotes taken off, doubled quotes halved, escapes replaced.
///
/// Escapes: \0 \b \n \r \t \Z \uXXXX \UXXXXXXXX, octal \001 to \177; `\%` and `\_` stay as they are
/// for LIKE; any other `\c` is `c`. A raw string (r'...') has none.
std::string StringValue(std::string_view token);

/// The name in a quoted name: quotes taken off, doubled quotes halved.
std::string QuotedNameValue(std::string_view token);

/// String tokens at the cursor, joined: `'a' 'b'` is "ab".
Result<std::string> ParseString(TokenStream& in);

}  // namespace merganser
