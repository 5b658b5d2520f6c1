#pragma once

#include <string>
#include <string_view>

namespace merganser::engine {

/// `name` as a quoted identifier of the engine's SQL: "a""b".
std::string QuoteIdentifier(std::string_view name);

/// `text` as a string literal of the engine's SQL: 'it''s'. Requires valid UTF-8 without NUL bytes.
std::string QuoteString(std::string_view text);

}  // namespace merganser::engine
