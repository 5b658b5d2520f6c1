#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/spark/analysis/scope.h"

namespace merganser {

/// Edits (insert, delete, replace) that turn one text into the other, counted in bytes.
size_t EditDistance(std::string_view left, std::string_view right);

/// Names of `candidates` that resemble the unresolved name `parts`, best first, as Spark proposes
/// them: quoted, without the qualifier parts that all share where the name has none, by edit
/// distance, then by column name.
std::vector<std::string> SuggestNames(const std::vector<std::string>& parts,
                                      const std::vector<ScopeColumn>& candidates);

/// The first five suggestions, joined by commas.
std::string Proposal(const std::vector<std::string>& suggestions);

}  // namespace merganser
