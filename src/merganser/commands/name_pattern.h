#pragma once

#include <optional>
#include <string>

namespace merganser {

/// Does `name` match Spark's filter of names: `*` is any text, `|` separates alternatives, letter
/// case does not count? Everything matches no pattern.
bool MatchesPattern(const std::optional<std::string>& pattern, const std::string& name);

}  // namespace merganser
