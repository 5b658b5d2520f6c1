#include "merganser/spark/analysis/scope.h"

#include <algorithm>

#include "merganser/base/letter_case.h"

namespace merganser {

namespace {

/// Columns called `parts[at]`, qualified by the parts before it (none: any qualifier), one of each
/// identity.
std::vector<const ScopeColumn*> ColumnsNamed(const Scope& scope,
                                             const std::vector<std::string>& parts, size_t at,
                                             bool case_sensitive) {
  const std::vector<std::string> qualifier(parts.begin(),
                                           parts.begin() + static_cast<std::ptrdiff_t>(at));
  std::vector<const ScopeColumn*> found;
  for (const ScopeColumn& column : scope.columns()) {
    if (!SameName(column.column.name, parts[at], case_sensitive)) continue;
    if (at == 0 ? column.hidden && !column.metadata
                : !QualifierMatches(column.qualifier, qualifier, case_sensitive))
      continue;
    const bool known = std::any_of(found.begin(), found.end(), [&](const ScopeColumn* other) {
      return other->identity == column.identity;
    });
    if (!known) found.push_back(&column);
  }
  // A hidden column gives way to a visible one of the same name: after a chain of JOIN ... USING
  // both stand for the key.
  const auto visible = [](const ScopeColumn* column) { return !column->hidden; };
  if (std::any_of(found.begin(), found.end(), visible)) {
    found.erase(std::stable_partition(found.begin(), found.end(), visible), found.end());
  }
  return found;
}

}  // namespace

std::span<const PlanColumns> Scope::FindPlans(int64_t plan_id) const {
  const auto found = plan_columns_.find(plan_id);
  if (found == plan_columns_.end()) return {};
  return found->second;
}

void Scope::AddPlan(int64_t plan_id) {
  plan_columns_[plan_id] = {PlanColumns{.columns = columns_}};
}

void Scope::Deepen() {
  for (auto& [plan_id, places] : plan_columns_) {
    for (PlanColumns& place : places) ++place.depth;
  }
}

void Scope::InheritPlans(const Scope& other, const std::map<ColumnId, ColumnId>& renamed) {
  plan_columns_ = other.plan_columns_;
  for (auto& [plan_id, places] : plan_columns_) {
    for (PlanColumns& place : places) {
      for (ScopeColumn& column : place.columns) {
        if (const auto id = renamed.find(column.column.id); id != renamed.end())
          column.column.id = id->second;
      }
    }
  }
}

Scope Scope::Join(const Scope& left, const Scope& right) {
  Scope joined = left;
  joined.columns_.insert(joined.columns_.end(), right.columns_.begin(), right.columns_.end());
  for (const auto& [plan_id, places] : right.plan_columns_) {
    auto& all = joined.plan_columns_[plan_id];
    all.insert(all.end(), places.begin(), places.end());
  }
  return joined;
}

Scope Scope::Requalified(const std::vector<std::string>& qualifier) const {
  Scope renamed = *this;
  std::erase_if(renamed.columns_,
                [](const ScopeColumn& column) { return column.hidden && !column.metadata; });
  for (ScopeColumn& column : renamed.columns_) column.qualifier = qualifier;
  return renamed;
}

bool Scope::Contains(ColumnId id) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [id](const ScopeColumn& column) { return column.column.id == id; });
}

bool Scope::HasQualifier(const std::vector<std::string>& qualifier, bool case_sensitive) const {
  return std::any_of(columns_.begin(), columns_.end(), [&](const ScopeColumn& column) {
    return QualifierMatches(column.qualifier, qualifier, case_sensitive);
  });
}

Scope ScopeOf(const BoundRelation& relation, const std::vector<std::string>& qualifier) {
  Scope scope;
  for (const BoundColumn& column : relation.columns) {
    scope.Add({.column = column,
               .qualifier = qualifier,
               .hidden = false,
               .metadata = false,
               .identity = column.id});
  }
  return scope;
}

NameMatch MatchName(const Scope& scope, const std::vector<std::string>& parts,
                    bool case_sensitive) {
  NameMatch match;
  // A qualifier has at most three parts: catalogue, schema, table.
  for (size_t at = std::min<size_t>(3, parts.size() - 1) + 1; at-- > 0;) {
    match.columns = ColumnsNamed(scope, parts, at, case_sensitive);
    if (match.columns.empty()) continue;
    match.column_name = parts[at];
    match.fields.assign(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1, parts.end());
    break;
  }
  return match;
}

bool QualifierMatches(const std::vector<std::string>& own,
                      const std::vector<std::string>& qualifier, bool case_sensitive) {
  if (qualifier.empty() || qualifier.size() > own.size()) return false;
  return std::equal(
      qualifier.rbegin(), qualifier.rend(), own.rbegin(),
      [&](const auto& left, const auto& right) { return SameName(left, right, case_sensitive); });
}

}  // namespace merganser
