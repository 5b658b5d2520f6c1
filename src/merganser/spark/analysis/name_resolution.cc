#include <algorithm>
#include <array>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/suggestion.h"

namespace merganser {

namespace {

BoundExpressionPtr ReferAs(const ScopeColumn& column, std::string name,
                           const plan::Origin& origin) {
  return MakeBound(BoundColumnRef{column.column.id, std::move(name), column.qualifier},
                   column.column.type, column.column.nullable, origin);
}

std::string QualifiedName(const ScopeColumn& column) {
  std::vector<std::string> parts = column.qualifier;
  parts.push_back(column.column.name);
  return QuotedIdentifier(parts);
}

Error AmbiguousReference(const std::vector<std::string>& parts,
                         const std::vector<const ScopeColumn*>& columns) {
  std::string names;
  for (const ScopeColumn* column : columns)
    names += (names.empty() ? "" : ", ") + QualifiedName(*column);
  return Error(ErrorClass::AMBIGUOUS_REFERENCE,
               {{"name", QuotedIdentifier(parts)}, {"referenceNames", "[" + names + "]"}});
}

void Remember(std::vector<BoundColumnRef>& uses, const BoundColumnRef& reference) {
  const bool known = std::any_of(uses.begin(), uses.end(),
                                 [&](const auto& use) { return use.id == reference.id; });
  if (!known) uses.push_back(reference);
}

/// The column at the root of a chain of field accesses.
const BoundColumnRef* RootColumn(const BoundExpression& expression) {
  const BoundExpression* node = &expression;
  for (;;) {
    if (const auto* column = node->As<BoundColumnRef>()) return column;
    if (const auto* field = node->As<BoundField>()) {
      node = field->child.get();
    } else if (const auto* call = node->As<BoundCall>();
               call != nullptr && !call->arguments.empty()) {
      node = call->arguments[0].get();
    } else {
      return nullptr;
    }
  }
}

}  // namespace

Result<BoundExpressionPtr> Binder::ExtractFields(BoundExpressionPtr base,
                                                 const std::vector<std::string>& fields,
                                                 const plan::Origin& origin) const {
  for (const std::string& field : fields) {
    const BoundExpressionPtr key =
        MakeBound(plan::Literal{DataType::String(), field}, DataType::String(), false, origin);
    auto extracted = ResolveExtract(std::move(base), key, typing_, origin);
    if (!extracted.ok()) return At(std::move(extracted).error(), origin);
    base = *std::move(extracted);
  }
  return base;
}

Result<BoundExpressionPtr> Binder::FindColumn(const std::vector<std::string>& parts,
                                              const Scope& scope, const plan::Origin& origin,
                                              bool quiet) {
  NameMatch match = MatchName(scope, parts, case_sensitive());
  if (match.columns.empty()) return BoundExpressionPtr();
  if (match.columns.size() > 1) {
    if (quiet) return BoundExpressionPtr();
    return At(AmbiguousReference(parts, match.columns), origin);
  }
  return ExtractFields(ReferAs(*match.columns[0], std::move(match.column_name), origin),
                       match.fields, origin);
}

BoundExpressionPtr Binder::FindLambdaParameter(const std::vector<std::string>& parts,
                                               const ExpressionScope& scope,
                                               const plan::Origin& origin) const {
  for (auto frame = scope.lambdas.rbegin(); frame != scope.lambdas.rend(); ++frame) {
    for (size_t i = 0; i < frame->names.size(); ++i) {
      if (!SameName(frame->names[i], parts[0], case_sensitive())) continue;
      const BoundExpression& parameter = *frame->parameters[i];
      return MakeBound(*parameter.As<BoundColumnRef>(), parameter.type, parameter.nullable, origin);
    }
  }
  return nullptr;
}

bool Binder::IsOuter(ColumnId id) const {
  for (const Scope* scope = outer_.get(); scope != nullptr; scope = scope->outer().get()) {
    if (scope->Contains(id)) return true;
  }
  return false;
}

Error Binder::CorrelatedReference(const BoundExpression& expression) const {
  return At(Error(ErrorClass::UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY,
                  {{"sqlExprs", "\"" + GeneratedName(expression) + "\""}}, "CORRELATED_REFERENCE"),
            expression.origin);
}

void Binder::RememberOuter(const BoundColumnRef& column, size_t depth) {
  for (size_t i = 0; i < std::min(depth, outer_uses_.size()); ++i) {
    Remember(*outer_uses_[outer_uses_.size() - 1 - i], column);
  }
}

Result<BoundExpressionPtr> Binder::FindOuter(const std::vector<std::string>& parts,
                                             const plan::Origin& origin) {
  size_t depth = 0;
  for (const Scope* scope = outer_.get(); scope != nullptr; scope = scope->outer().get()) {
    depth += scope->same_query() ? 0 : 1;
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr found, FindColumn(parts, *scope, origin));
    if (found == nullptr) continue;
    if (const BoundColumnRef* column = RootColumn(*found)) RememberOuter(*column, depth);
    return found;
  }
  return BoundExpressionPtr();
}

Result<BoundExpressionPtr> Binder::BindNiladicFunction(const std::vector<std::string>& parts,
                                                       const plan::Origin& origin) const {
  static constexpr std::array kNames = {
      "current_date", "current_timestamp", "current_time", "current_user", "user", "session_user"};
  if (parts.size() != 1) return BoundExpressionPtr();
  const std::string name = AsciiLowerCase(parts[0]);
  if (name == "grouping__id") {
    return MakeBound(BoundCall{.function = "grouping_id", .arguments = {}}, DataType::Long(), false,
                     origin);
  }
  if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) return BoundExpressionPtr();
  CallRequest request;
  request.name = name;
  request.origin = origin;
  auto call = ResolveCall(request, typing_, {});
  if (!call.ok()) return At(std::move(call).error(), origin);
  return *std::move(call);
}

Result<BoundExpressionPtr> Binder::BindName(const std::vector<std::string>& parts,
                                            const plan::Origin& origin, ExpressionScope& scope) {
  if (BoundExpressionPtr parameter = FindLambdaParameter(parts, scope, origin)) {
    return ExtractFields(std::move(parameter), {parts.begin() + 1, parts.end()}, origin);
  }
  std::vector<const Scope*> scopes = scope.scopes;
  if (scope.aggregate_depth > 0 && scope.aggregate_input != nullptr) {
    scopes.insert(scopes.begin(), scope.aggregate_input);
  }
  for (const Scope* candidate : scopes) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr found,
                               FindColumn(parts, *candidate, origin, scope.ambiguous_is_unknown));
    if (found != nullptr) return found;
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr function, BindNiladicFunction(parts, origin));
  if (function != nullptr) return function;
  if (scope.aliases) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr alias, scope.aliases(parts, origin));
    if (alias != nullptr) return alias;
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr outer, FindOuter(parts, origin));
  if (outer != nullptr) return outer;
  for (const std::string& part : parts) {
    if (SameName(part, kFileMetadataColumn, false)) state_->wants_file_metadata = true;
  }
  const Scope* suggested = scope.suggested;
  if (suggested == nullptr && !scope.scopes.empty()) suggested = scope.scopes[0];
  return UnresolvedColumn(
      parts, suggested == nullptr ? std::vector<ScopeColumn>() : suggested->columns(), origin);
}

Error Binder::UnresolvedColumn(const std::vector<std::string>& parts,
                               const std::vector<ScopeColumn>& candidates,
                               const plan::Origin& origin) const {
  const std::vector<std::string> suggestions = SuggestNames(parts, candidates);
  Error::Parameters parameters = {{"objectName", QuotedIdentifier(parts)}};
  if (suggestions.empty()) {
    return At(Error(ErrorClass::UNRESOLVED_COLUMN, std::move(parameters), "WITHOUT_SUGGESTION"),
              origin);
  }
  parameters["proposal"] = Proposal(suggestions);
  return At(Error(ErrorClass::UNRESOLVED_COLUMN, std::move(parameters), "WITH_SUGGESTION"), origin);
}

Result<BoundExpressionPtr> Binder::BindPlanColumn(const plan::Attribute& attribute,
                                                  const plan::Origin& origin,
                                                  ExpressionScope& scope) {
  std::vector<const Scope*> chain = scope.scopes;
  std::vector<size_t> depths(chain.size(), 0);
  for (const Scope* outer = outer_.get(); outer != nullptr; outer = outer->outer().get()) {
    depths.push_back(depths.empty() ? 1 : depths.back() + (outer->same_query() ? 0 : 1));
    chain.push_back(outer);
  }
  const std::string name = QuotedIdentifier(attribute.parts);
  for (size_t i = 0; i < chain.size(); ++i) {
    // Where the data frame stands in several places, the one nearest to here is meant.
    BoundExpressionPtr nearest;
    int depth = 0;
    bool ambiguous = false;
    for (const PlanColumns& place : chain[i]->FindPlans(attribute.plan_id)) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr found,
                                 FindColumn(attribute.parts, Scope(place.columns), origin));
      const BoundColumnRef* column = found == nullptr ? nullptr : RootColumn(*found);
      if (column == nullptr) continue;
      const bool visible = std::any_of(chain.begin(), chain.end(), [&](const Scope* other) {
        return other->Contains(column->id);
      });
      if (!visible || (nearest != nullptr && place.depth > depth)) continue;
      ambiguous = nearest != nullptr && place.depth == depth;
      nearest = std::move(found);
      depth = place.depth;
    }
    if (ambiguous)
      return At(Error(ErrorClass::AMBIGUOUS_COLUMN_REFERENCE, {{"name", name}}), origin);
    if (nearest == nullptr) continue;
    RememberOuter(*RootColumn(*nearest), depths[i]);
    return nearest;
  }
  return At(Error(ErrorClass::CANNOT_RESOLVE_DATAFRAME_COLUMN, {{"name", name}}), origin);
}

}  // namespace merganser
