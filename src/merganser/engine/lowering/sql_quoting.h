#pragma once

#include <string>
#include <string_view>

/// Pieces of the engine's SQL text.
namespace merganser {

/// "a""b": a name.
std::string QuoteName(std::string_view name);

/// 'it''s': a VARCHAR value. Bytes that no string literal can hold (NUL) are spelled with chr().
std::string QuoteText(std::string_view text);

/// CAST(sql AS type).
std::string CastSql(std::string_view sql, std::string_view type);

}  // namespace merganser
