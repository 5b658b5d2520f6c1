#include <algorithm>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/suggestion.h"

namespace merganser {

namespace {

/// A column or field to leave out: field positions from the column down, none for the column
/// itself.
struct ExceptPath {
  ColumnId column = 0;
  std::vector<int> fields;
  std::string text;

  bool Covers(const ExceptPath& other) const {
    return column == other.column && fields.size() <= other.fields.size() &&
           std::equal(fields.begin(), fields.end(), other.fields.begin());
  }
};

std::vector<StarColumn> StructColumns(const BoundExpressionPtr& structure) {
  std::vector<StarColumn> columns;
  for (size_t i = 0; i < structure->type.fields().size(); ++i) {
    columns.push_back({structure->type.fields()[i].name, FieldOf(structure, static_cast<int>(i))});
  }
  return columns;
}

std::vector<StarColumn> QualifiedColumns(const Scope& scope,
                                         const std::vector<std::string>& qualifier,
                                         bool case_sensitive) {
  std::vector<StarColumn> columns;
  // The key of a JOIN ... USING that stays hidden under `*` belongs to its own table all the same,
  // and comes first.
  for (const bool hidden : {true, false}) {
    for (const ScopeColumn& column : scope.columns()) {
      if (column.hidden != hidden || column.metadata) continue;
      if (!QualifierMatches(column.qualifier, qualifier, case_sensitive)) continue;
      columns.push_back({column.column.name, ReferTo(column.column, column.qualifier)});
    }
  }
  return columns;
}

/// `structure` without the fields that `except` names; null if none is left out below it.
Result<BoundExpressionPtr> WithoutFields(const BoundExpressionPtr& structure,
                                         const std::vector<ExceptPath>& except, size_t depth,
                                         const TypingContext& typing) {
  CallRequest request;
  request.name = "named_struct";
  for (size_t i = 0; i < structure->type.fields().size(); ++i) {
    std::vector<ExceptPath> below;
    bool dropped = false;
    for (const ExceptPath& path : except) {
      if (path.fields.size() <= depth || path.fields[depth] != static_cast<int>(i)) continue;
      dropped = dropped || path.fields.size() == depth + 1;
      below.push_back(path);
    }
    if (dropped) continue;
    BoundExpressionPtr field = FieldOf(structure, static_cast<int>(i));
    if (!below.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(field, WithoutFields(field, below, depth + 1, typing));
    }
    const DataType text = DataType::String();
    request.arguments.push_back(
        MakeBound(plan::Literal{text, structure->type.fields()[i].name}, text, false));
    request.arguments.push_back(std::move(field));
  }
  request.lambdas.resize(request.arguments.size(), nullptr);
  return ResolveCall(request, typing, {});
}

}  // namespace

Result<std::vector<StarColumn>> Binder::ExpandStar(const plan::Star& star, const Scope& scope,
                                                   const plan::Origin& origin) {
  std::vector<StarColumn> columns;
  if (star.plan_id >= 0) {
    const auto places = scope.FindPlans(star.plan_id);
    const auto nearest = std::ranges::min_element(places, {}, &PlanColumns::depth);
    if (nearest == places.end())
      return At(Error(ErrorClass::CANNOT_RESOLVE_DATAFRAME_COLUMN, {{"name", "`*`"}}), origin);
    for (const ScopeColumn& column : nearest->columns) {
      if (!column.hidden && scope.Contains(column.column.id))
        columns.push_back({column.column.name, ReferTo(column.column, column.qualifier)});
    }
  } else if (star.qualifier.empty()) {
    for (const ScopeColumn& column : scope.columns()) {
      if (!column.hidden)
        columns.push_back({column.column.name, ReferTo(column.column, column.qualifier)});
    }
  } else {
    columns = QualifiedColumns(scope, star.qualifier, case_sensitive());
    if (columns.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr structure,
                                 FindColumn(star.qualifier, scope, origin));
      if (structure == nullptr) {
        MERGANSER_ASSIGN_OR_RETURN(structure, FindOuter(star.qualifier, origin));
      }
      if (structure != nullptr && !structure->type.is(TypeId::kStruct)) {
        return At(Error(ErrorClass::_LEGACY_ERROR_TEMP_1050,
                        {{"attributes", QuotedIfNeeded(star.qualifier)}}),
                  origin);
      }
      if (structure == nullptr) {
        std::vector<std::string> names;
        for (const ScopeColumn& column : scope.columns()) {
          if (!column.hidden) names.push_back(QuotedIdentifier(column.column.name));
        }
        std::sort(names.begin(), names.end());
        std::string list;
        for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
        return At(Error(ErrorClass::CANNOT_RESOLVE_STAR_EXPAND,
                        {{"targetString", QuotedIdentifier(star.qualifier)}, {"columns", list}}),
                  origin);
      }
      columns = StructColumns(structure);
    }
  }
  if (star.name_pattern) {
    MERGANSER_ASSIGN_OR_RETURN(columns, MatchingColumns(std::move(columns), *star.name_pattern));
  }
  if (star.except.empty()) return columns;
  if (!star.replacements.empty()) return WithReplacements(std::move(columns), star, scope, origin);
  return WithoutColumns(std::move(columns), star, scope, origin);
}

Result<std::vector<StarColumn>> Binder::MatchingColumns(std::vector<StarColumn> columns,
                                                        const std::string& pattern) {
  const auto text = [](const std::string& value) {
    return MakeBound(plan::Literal{DataType::String(), value}, DataType::String(), false);
  };
  const std::string whole = (case_sensitive() ? "^(?:" : "(?i)^(?:") + pattern + ")$";
  std::vector<StarColumn> matching;
  for (StarColumn& column : columns) {
    CallRequest request;
    request.name = "rlike";
    request.is_operator = true;
    request.arguments = {text(column.name), text(whole)};
    request.lambdas.resize(2, nullptr);
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr match, ResolveCall(request, typing_, {}));
    MERGANSER_ASSIGN_OR_RETURN(const plan::Literal found, typing_.evaluate(*match));
    if (const bool* matches = std::get_if<bool>(&found.value); matches != nullptr && *matches)
      matching.push_back(std::move(column));
  }
  return matching;
}

Result<std::vector<StarColumn>> Binder::WithReplacements(std::vector<StarColumn> columns,
                                                         const plan::Star& star, const Scope& scope,
                                                         const plan::Origin& origin) {
  for (size_t i = 0; i < star.except.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr found,
                               FindColumn(star.except[i], scope, origin));
    const auto* column = found == nullptr ? nullptr : found->As<BoundColumnRef>();
    if (column == nullptr) return UnresolvedColumn(star.except[i], scope.columns(), origin);
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr value,
                               BindOver(star.replacements[i], scope));
    for (StarColumn& item : columns) {
      const auto* reference = item.expression->As<BoundColumnRef>();
      if (reference != nullptr && reference->id == column->id) item.expression = value;
    }
  }
  return columns;
}

Result<std::vector<StarColumn>> Binder::WithoutColumns(std::vector<StarColumn> columns,
                                                       const plan::Star& star, const Scope& scope,
                                                       const plan::Origin& origin) {
  std::vector<ExceptPath> except;
  for (const std::vector<std::string>& parts : star.except) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr found, FindColumn(parts, scope, origin));
    ExceptPath path{.column = 0, .fields = {}, .text = QuotedIfNeeded(parts)};
    const BoundExpression* node = found.get();
    while (node != nullptr && node->As<BoundField>() != nullptr) {
      path.fields.insert(path.fields.begin(), node->As<BoundField>()->index);
      node = node->As<BoundField>()->child.get();
    }
    const BoundColumnRef* column = node == nullptr ? nullptr : node->As<BoundColumnRef>();
    const bool expanded = column != nullptr &&
                          std::any_of(columns.begin(), columns.end(), [&](const StarColumn& item) {
                            const auto* reference = item.expression->As<BoundColumnRef>();
                            return reference != nullptr && reference->id == column->id;
                          });
    if (!expanded) {
      if (found != nullptr && column == nullptr) {
        return At(
            Error(ErrorClass::EXCEPT_NESTED_COLUMN_INVALID_TYPE,
                  {{"columnName", QuotedIdentifier(parts)}, {"dataType", found->type.SqlString()}}),
            origin);
      }
      std::vector<std::string> names;
      for (const ScopeColumn& candidate : scope.columns()) {
        if (!candidate.hidden) names.push_back(QuotedIdentifier(candidate.column.name));
      }
      return At(Error(ErrorClass::UNRESOLVED_COLUMN,
                      {{"objectName", QuotedIdentifier(parts)}, {"proposal", Proposal(names)}},
                      "WITH_SUGGESTION"),
                origin);
    }
    path.column = column->id;
    except.push_back(std::move(path));
  }
  for (size_t i = 0; i < except.size(); ++i) {
    for (size_t j = 0; j < except.size(); ++j) {
      if (i == j || !except[i].Covers(except[j])) continue;
      std::string names;
      for (const ExceptPath& path : except) names += (names.empty() ? "" : ", ") + path.text;
      return At(Error(ErrorClass::EXCEPT_OVERLAPPING_COLUMNS, {{"columns", names}}), origin);
    }
  }
  std::vector<StarColumn> kept;
  for (StarColumn& item : columns) {
    const auto* reference = item.expression->As<BoundColumnRef>();
    std::vector<ExceptPath> own;
    for (const ExceptPath& path : except) {
      if (reference != nullptr && path.column == reference->id) own.push_back(path);
    }
    if (std::any_of(own.begin(), own.end(),
                    [](const ExceptPath& path) { return path.fields.empty(); }))
      continue;
    if (!own.empty()) {
      auto rebuilt = WithoutFields(item.expression, own, 0, typing_);
      if (!rebuilt.ok()) return At(std::move(rebuilt).error(), origin);
      item.expression = *std::move(rebuilt);
    }
    kept.push_back(std::move(item));
  }
  return kept;
}

}  // namespace merganser
