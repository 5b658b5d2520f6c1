#include "merganser/commands/predicate_text.h"

#include <utility>

#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// A leaf that prints as `text`.
BoundExpressionPtr Leaf(std::string text, const BoundExpression& original) {
  return MakeBound(BoundColumnRef{0, std::move(text), {}}, original.type, original.nullable,
                   original.origin);
}

BoundExpressionPtr WithBareNames(const BoundExpressionPtr& condition) {
  return Transform(condition, [](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    const auto* column = node->As<BoundColumnRef>();
    if (column == nullptr || column->qualifier.empty()) return nullptr;
    return Leaf(column->name, *node);
  });
}

/// DATE '2024-01-01' without what is around the text.
std::string InnerText(std::string literal) {
  const size_t open = literal.find('\'');
  if (open == std::string::npos || !literal.ends_with('\'')) return literal;
  return literal.substr(open + 1, literal.size() - open - 2);
}

/// What Catalyst's toString shows otherwise than the name of a result column does; null for all
/// else.
BoundExpressionPtr InOtherForm(const BoundExpressionPtr& node) {
  if (const auto* literal = node->As<plan::Literal>()) {
    if (literal->is_null()) return Leaf("null", *node);
    const bool has_prefix = literal->type.is(TypeId::kDate) ||
                            literal->type.is(TypeId::kTimestamp) ||
                            literal->type.is(TypeId::kTimestampNtz);
    return has_prefix ? Leaf(InnerText(GeneratedName(*node)), *node) : nullptr;
  }
  if (const auto* cast = node->As<BoundCast>()) {
    return Leaf((cast->mode == CastMode::kTry ? "try_cast(" : "cast(") +
                    PredicateText(cast->child) + " as " + node->type.CatalogString() + ")",
                *node);
  }
  const auto* call = node->As<BoundCall>();
  if (call == nullptr) return nullptr;
  const auto argument = [&](size_t i) { return PredicateText(call->arguments[i]); };
  const std::string& function = call->function;
  if (function == "isnull" || function == "isnotnull")
    return Leaf(function + "(" + argument(0) + ")", *node);
  if (function == "not" || function == "!") return Leaf("NOT " + argument(0), *node);
  if (function == "<>" || function == "!=")
    return Leaf("NOT (" + argument(0) + " = " + argument(1) + ")", *node);
  if (function == "in") {
    std::string list;
    for (size_t i = 1; i < call->arguments.size(); ++i) list += (i == 1 ? "" : ",") + argument(i);
    return Leaf(argument(0) + " IN (" + list + ")", *node);
  }
  return nullptr;
}

}  // namespace

std::string PredicateText(const BoundExpressionPtr& condition) {
  return GeneratedName(*Transform(WithBareNames(condition), InOtherForm));
}

std::string PredicateSql(const BoundExpressionPtr& condition) {
  return PrintSql(*WithBareNames(condition));
}

}  // namespace merganser
