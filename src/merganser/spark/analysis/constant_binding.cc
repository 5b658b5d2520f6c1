#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

Result<plan::Literal> Binder::EvaluateConstant(const BoundExpression& expression) {
  if (std::optional<plan::Literal> folded = FoldLiteral(expression)) return *std::move(folded);
  if (!services_.evaluate) {
    return At(Error(ErrorClass::UNSUPPORTED_FEATURE, {{"expression", QuotedExpression(expression)}},
                    "CONSTANT_EXPRESSION_WITHOUT_ENGINE"),
              expression.origin);
  }
  return services_.evaluate(expression);
}

Result<std::vector<std::string>> Binder::NameParts(const plan::MultipartName& name) {
  if (name.identifier == nullptr) return name.parts;
  const plan::Origin origin = name.identifier->origin;
  const auto not_constant = [&](const std::string& text, std::string sub_class,
                                Error::Parameters more = {}) {
    more["name"] = "IDENTIFIER";
    more["expr"] = text;
    return At(Error(ErrorClass::NOT_A_CONSTANT_STRING, std::move(more), std::move(sub_class)),
              origin);
  };
  ExpressionScope nothing;
  auto bound = BindExpression(name.identifier, nothing);
  if (!bound.ok()) {
    const auto* attribute = name.identifier->As<plan::Attribute>();
    if (bound.error().error_class() == ErrorClass::UNRESOLVED_COLUMN && attribute != nullptr) {
      return not_constant(QuotedIfNeeded(attribute->parts), "NOT_CONSTANT");
    }
    return std::move(bound).error();
  }
  const BoundExpression& expression = **bound;
  const std::string text = PrintSql(expression);
  std::vector<ColumnId> columns;
  CollectColumns(expression, columns);
  if (!columns.empty() || ContainsSubquery(expression) || !IsDeterministic(expression)) {
    return not_constant(text, "NOT_CONSTANT");
  }
  if (!expression.type.is_string()) {
    return not_constant(text, "WRONG_TYPE", {{"dataType", expression.type.CatalogString()}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal value, EvaluateConstant(expression));
  if (value.is_null()) return not_constant(text, "NULL");
  auto parsed = ParseMultipartName(std::get<std::string>(value.value));
  if (!parsed.ok()) return std::move(parsed).error();
  return parsed->parts;
}

}  // namespace merganser
