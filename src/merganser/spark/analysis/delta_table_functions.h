#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace merganser {

/// The functions in FROM that give the changes of a table, in lower case, sorted.
inline constexpr std::array<std::string_view, 2> kDeltaTableFunctions = {"table_changes",
                                                                         "table_changes_by_path"};

/// Is `name`, in lower case, one of them?
inline bool IsDeltaTableFunction(std::string_view name) {
  return std::ranges::find(kDeltaTableFunctions, name) != kDeltaTableFunctions.end();
}

}  // namespace merganser
