#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/sql/datetime_literal.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

Result<BoundExpressionPtr> Binder::BindExpression(const plan::ExpressionPtr& expression,
                                                  ExpressionScope& scope) {
  auto bound = std::visit([&](const auto& node) { return BindNode(node, *expression, scope); },
                          expression->node);
  if (!bound.ok()) return At(std::move(bound).error(), expression->origin);
  return bound;
}

Result<BoundExpressionPtr> Binder::BindOver(const plan::ExpressionPtr& expression,
                                            const Scope& scope) {
  const std::shared_ptr<const Scope> enclosing = outer_;
  if (scope.outer() != nullptr) outer_ = scope.outer();
  ExpressionScope names{.scopes = {&scope}};
  auto bound = BindExpression(expression, names);
  outer_ = enclosing;
  return bound;
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Literal& literal,
                                            const plan::Expression& expression, ExpressionScope&) {
  return MakeBound(literal, literal.type, literal.is_null(), expression.origin);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Attribute& attribute,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  if (attribute.plan_id >= 0) return BindPlanColumn(attribute, expression.origin, scope);
  return BindName(attribute.parts, expression.origin, scope);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::IdentifierAttribute& name,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(
      const std::vector<std::string> parts,
      NameParts({.parts = {}, .identifier = name.expression, .origin = expression.origin}));
  return BindName(parts, expression.origin, scope);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Star& star,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  // Outside of argument lists, which expand it, a star is in place only where it gives one column.
  if (!scope.scopes.empty() && star.qualifier.empty()) {
    return At(Error(ErrorClass::INVALID_USAGE_OF_STAR_OR_REGEX,
                    {{"elem", "'*'"}, {"prettyName", scope.operator_name}}),
              expression.origin);
  }
  return At(Error(ErrorClass::INVALID_USAGE_OF_STAR_OR_REGEX,
                  {{"elem", "'" + QuotedIfNeeded(star.qualifier) + ".*'"},
                   {"prettyName", scope.operator_name}}),
            expression.origin);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Cast& cast,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(cast.child, scope));
  if (!cast.is_literal)
    return ResolveCast(std::move(child), cast.type, cast.is_try, typing_, expression.origin);
  if (const auto instant = InstantOf(cast))
    return MakeBound(plan::Literal{cast.type, *instant}, cast.type, false, expression.origin);
  MERGANSER_ASSIGN_OR_RETURN(
      const BoundExpressionPtr value,
      ResolveCast(std::move(child), cast.type, cast.is_try, typing_, expression.origin));
  // Without an engine the text stays to be read: it means the same, only its name differs.
  if (!services_.evaluate) return value;
  MERGANSER_ASSIGN_OR_RETURN(plan::Literal literal, EvaluateConstant(*value));
  return MakeBound(std::move(literal), cast.type, false, expression.origin);
}

/// The value of a TIMESTAMP literal whose zone the parser does not know.
std::optional<int64_t> Binder::InstantOf(const plan::Cast& literal) const {
  const auto* text = literal.child->As<plan::Literal>();
  if (text == nullptr || !literal.type.is(TypeId::kTimestamp) || !services_.instant_of)
    return std::nullopt;
  const auto timestamp = ReadTimestamp(std::get<std::string>(text->value));
  if (!timestamp || timestamp->time_only) return std::nullopt;
  return services_.instant_of(timestamp->zone.value_or(typing_.session_time_zone),
                              timestamp->local_micros);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Alias& alias,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(alias.child, scope));
  if (alias.names.size() <= 1) return child;
  std::string names;
  for (const std::string& name : alias.names) names += (names.empty() ? "" : ", ") + name;
  return At(Error(ErrorClass::MULTI_ALIAS_WITHOUT_GENERATOR,
                  {{"expr", QuotedExpression(*child)}, {"names", names}}),
            expression.origin);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::ExtractValue& extract,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(extract.child, scope));
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr key, BindExpression(extract.key, scope));
  return ResolveExtract(std::move(child), std::move(key), typing_, expression.origin);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Lambda&, const plan::Expression& expression,
                                            ExpressionScope&) {
  return At(Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL, {},
                  "PARAMETER_DOES_NOT_ACCEPT_LAMBDA_FUNCTION"),
            expression.origin);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::SortOrder& order, const plan::Expression&,
                                            ExpressionScope& scope) {
  // A direction means something to ORDER BY only.
  return BindExpression(order.child, scope);
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Parameter& parameter,
                                            const plan::Expression& expression, ExpressionScope&) {
  plan::ExpressionPtr value;
  std::string name = parameter.name;
  if (name.empty()) {
    name = "_" + std::to_string(parameter.position);
    const auto position = static_cast<size_t>(parameter.position);
    if (parameter.position >= 0 && position < parameters_.positional.size())
      value = parameters_.positional[position];
  } else if (const auto found = parameters_.named.find(name); found != parameters_.named.end()) {
    value = found->second;
  }
  if (value == nullptr) {
    return At(Error(ErrorClass::UNBOUND_SQL_PARAMETER, {{"name", name}}), expression.origin);
  }
  ExpressionScope nothing;
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindExpression(value, nothing));
  BoundExpression placed = *bound;
  placed.origin = expression.origin;
  return std::make_shared<const BoundExpression>(std::move(placed));
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::DefaultValue&,
                                            const plan::Expression& expression, ExpressionScope&) {
  return At(Error(ErrorClass::DEFAULT_PLACEMENT_INVALID), expression.origin);
}

Status Binder::CheckOrderable(const BoundSortOrder& order) const {
  const BoundExpression& key = *order.child;
  if (IsOrderable(key.type)) return Status::Ok();
  const std::string text = GeneratedName(key) + (order.ascending ? " ASC" : " DESC") +
                           (order.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  return At(Error(ErrorClass::DATATYPE_MISMATCH,
                  {{"functionName", "`sortorder`"},
                   {"dataType", QuotedType(key.type)},
                   {"sqlExpr", "\"" + text + "\""}},
                  "INVALID_ORDERING_TYPE"),
            key.origin);
}

Result<std::vector<BoundSortOrder>> Binder::BindSortOrders(
    const std::vector<plan::ExpressionPtr>& orders, ExpressionScope& scope) {
  std::vector<BoundSortOrder> bound;
  for (const plan::ExpressionPtr& expression : orders) {
    const auto* order = expression->As<plan::SortOrder>();
    const bool ascending = order == nullptr || order->ascending;
    BoundSortOrder item{.child = nullptr, .ascending = ascending, .nulls_first = ascending};
    if (order != nullptr && order->nulls_first) item.nulls_first = *order->nulls_first;
    MERGANSER_ASSIGN_OR_RETURN(item.child,
                               BindExpression(order == nullptr ? expression : order->child, scope));
    MERGANSER_RETURN_IF_ERROR(CheckOrderable(item));
    bound.push_back(std::move(item));
  }
  return bound;
}

}  // namespace merganser
