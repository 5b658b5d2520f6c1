#include "merganser/engine/sql_text.h"

namespace merganser::engine {
namespace {

std::string Quote(std::string_view text, char quote) {
  std::string quoted;
  quoted.reserve(text.size() + 2);
  quoted.push_back(quote);
  for (const char character : text) {
    if (character == quote) quoted.push_back(quote);
    quoted.push_back(character);
  }
  quoted.push_back(quote);
  return quoted;
}

}  // namespace

std::string QuoteIdentifier(std::string_view name) { return Quote(name, '"'); }

std::string QuoteString(std::string_view text) { return Quote(text, '\''); }

}  // namespace merganser::engine
