#include "merganser/commands/name_pattern.h"

#include <regex>
#include <string_view>

namespace merganser {

bool MatchesPattern(const std::optional<std::string>& pattern, const std::string& name) {
  if (!pattern) return true;
  // `|` stays what it is to a regular expression.
  std::string expression;
  for (const char c : *pattern) {
    if (c == '*' || c == '%') {
      expression += ".*";
    } else if (std::string_view(".\\+?()[]{}^$").find(c) != std::string_view::npos) {
      expression += '\\';
      expression += c;
    } else {
      expression += c;
    }
  }
  return std::regex_match(name, std::regex(expression, std::regex::icase));
}

}  // namespace merganser
