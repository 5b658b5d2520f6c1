#include "merganser/spark/analysis/suggestion.h"

#include <algorithm>
#include <numeric>

#include "merganser/base/quoted_identifier.h"

namespace merganser {

namespace {

using Name = std::vector<std::string>;

Name Last(const Name& name, size_t parts) {
  return {name.end() - static_cast<std::ptrdiff_t>(std::min(parts, name.size())), name.end()};
}

/// True if the names are equal once their last `parts` are dropped.
bool SamePrefix(const std::vector<Name>& names, size_t parts) {
  const auto prefix = [parts](const Name& name) {
    return Name(name.begin(),
                name.end() - static_cast<std::ptrdiff_t>(std::min(parts, name.size())));
  };
  return std::all_of(names.begin(), names.end(),
                     [&](const Name& name) { return prefix(name) == prefix(names.front()); });
}

}  // namespace

size_t EditDistance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < left.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < right.size(); ++j) {
      const size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::vector<std::string> SuggestNames(const std::vector<std::string>& parts,
                                      const std::vector<ScopeColumn>& candidates) {
  std::vector<const ScopeColumn*> columns;
  for (const ScopeColumn& column : candidates) {
    if (!column.hidden) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const ScopeColumn* left, const ScopeColumn* right) {
                     return left->column.name < right->column.name;
                   });
  std::vector<Name> names;
  for (const ScopeColumn* column : columns) {
    names.push_back(column->qualifier);
    names.back().push_back(column->column.name);
  }
  if (names.empty()) return {};
  if (parts.size() == 1 && SamePrefix(names, 1)) {
    for (Name& name : names) name = Last(name, 1);
  } else if (parts.size() <= 2 && SamePrefix(names, 2)) {
    for (Name& name : names) name = Last(name, 2);
  }

  const std::string wanted = QuotedIfNeeded(parts);
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const Name& name : names) {
    std::string quoted = QuotedIdentifier(name);
    const size_t distance = EditDistance(quoted, wanted);
    ranked.emplace_back(distance, std::move(quoted));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<std::string> suggestions;
  for (auto& [distance, text] : ranked) suggestions.push_back(std::move(text));
  return suggestions;
}

std::string Proposal(const std::vector<std::string>& suggestions) {
  std::string proposal;
  for (size_t i = 0; i < suggestions.size() && i < 5; ++i) {
    if (i > 0) proposal += ", ";
    proposal += suggestions[i];
  }
  return proposal;
}

}  // namespace merganser
