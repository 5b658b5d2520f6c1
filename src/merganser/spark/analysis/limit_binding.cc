#include <optional>
#include <string>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

Result<int64_t> Binder::BindLimitValue(const plan::ExpressionPtr& expression, const char* name,
                                       const plan::Origin& origin) {
  ExpressionScope nothing;
  auto bound = BindExpression(expression, nothing);
  const auto invalid = [&](const std::string& text, const plan::Origin& place,
                           std::string sub_class, Error::Parameters more = {}) {
    more["name"] = name;
    more["expr"] = "\"" + text + "\"";
    return At(
        Error(ErrorClass::INVALID_LIMIT_LIKE_EXPRESSION, std::move(more), std::move(sub_class)),
        place);
  };
  if (!bound.ok()) {
    const auto* attribute = expression->As<plan::Attribute>();
    if (attribute == nullptr || bound.error().error_class() != ErrorClass::UNRESOLVED_COLUMN) {
      return std::move(bound).error();
    }
    return invalid(QuotedIfNeeded(attribute->parts), origin, "IS_UNFOLDABLE");
  }
  const BoundExpression& value = **bound;
  const std::string text = GeneratedName(value);
  if (!IsDeterministic(value) || ContainsSubquery(value) || FindAggregate(value) != nullptr) {
    return invalid(text, expression->origin, "IS_UNFOLDABLE");
  }
  if (!value.type.is(TypeId::kInteger)) {
    return invalid(text, expression->origin, "DATA_TYPE", {{"dataType", QuotedType(value.type)}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal literal, EvaluateConstant(value));
  if (literal.is_null()) return invalid(text, expression->origin, "IS_NULL");
  const int64_t number = std::get<int64_t>(literal.value);
  if (number < 0)
    return invalid(text, expression->origin, "IS_NEGATIVE", {{"v", std::to_string(number)}});
  return number;
}

Result<Binding> Binder::Bind(const plan::Limit& limit, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(limit.child));
  BoundLimit node{.child = child.relation, .limit = std::nullopt, .offset = 0};
  if (limit.limit != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(node.limit, BindLimitValue(limit.limit, "limit", relation.origin));
  }
  if (limit.offset != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(node.offset,
                               BindLimitValue(limit.offset, "offset", relation.origin));
  }
  Binding binding{
      .relation = nullptr, .scope = child.scope, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation = MakeBoundRelation(std::move(node), std::move(columns));
  return binding;
}

}  // namespace merganser
