#include "merganser/engine/lowering/sql_quoting.h"

#include <fmt/format.h>

namespace merganser {
namespace {

std::string Doubled(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += quote;
    quoted += c;
  }
  quoted += quote;
  return quoted;
}

}  // namespace

std::string QuoteName(std::string_view name) { return Doubled(name, '"'); }

std::string QuoteText(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return Doubled(text, '\'');
  std::string sql = "(";
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\0', start), text.size());
    if (start > 0) sql += " || chr(0) || ";
    sql += Doubled(text.substr(start, end - start), '\'');
    start = end + 1;
  }
  return sql + ")";
}

std::string CastSql(std::string_view sql, std::string_view type) {
  return fmt::format("CAST({} AS {})", sql, type);
}

}  // namespace merganser
