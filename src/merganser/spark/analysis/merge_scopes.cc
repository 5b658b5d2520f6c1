#include "merganser/spark/analysis/merge_scopes.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/expression_check.h"

namespace merganser {
namespace {

std::string ColumnList(const Scope& scope) {
  std::string list;
  for (const ScopeColumn& column : scope.columns()) {
    if (!list.empty()) list += ", ";
    if (!column.qualifier.empty()) list += QuotedIfNeeded(column.qualifier) + ".";
    list += QuotedIfNeeded(column.column.name);
  }
  return list;
}

}  // namespace

MergeScopes::MergeScopes(Analyzer& analyzer, Scope target, Scope source)
    : analyzer_(analyzer),
      target_(std::move(target)),
      source_(std::move(source)),
      both_(Scope::Join(target_, source_)) {}

Error MergeScopes::Unresolved(std::string_view name, const Scope& scope,
                              std::string_view clause) const {
  return Error(ErrorClass::DELTA_MERGE_UNRESOLVED_EXPRESSION, {{"sqlExpr", std::string(name)},
                                                               {"clause", std::string(clause)},
                                                               {"cols", ColumnList(scope)}});
}

Result<BoundExpressionPtr> MergeScopes::Bind(const plan::ExpressionPtr& expression,
                                             const Scope& scope, std::string_view clause) const {
  auto bound = analyzer_.BindExpressionUnchecked(expression, scope);
  if (bound.ok()) {
    MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(**bound, "MergeIntoTable"));
    return bound;
  }
  if (bound.error().error_class() != ErrorClass::UNRESOLVED_COLUMN) return bound;
  const auto& parameters = bound.error().parameters();
  const auto name = parameters.find("objectName");
  if (name != parameters.end() && EqualsIgnoringCase(name->second, "`DEFAULT`")) {
    return Error(ErrorClass::DEFAULT_PLACEMENT_INVALID);
  }
  Error error = Unresolved(name == parameters.end() ? "" : name->second, scope, clause);
  if (bound.error().context()) error = std::move(error).At(*bound.error().context());
  return error;
}

Result<BoundExpressionPtr> MergeScopes::BindCondition(const plan::ExpressionPtr& condition,
                                                      const Scope& scope,
                                                      std::string_view clause) const {
  if (condition == nullptr) return BoundExpressionPtr();
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, Bind(condition, scope, clause));
  if (bound->type.is(TypeId::kNull))
    return ImplicitCast(bound, DataType::Boolean(), analyzer_.typing());
  if (!bound->type.is(TypeId::kBoolean)) {
    return Error(ErrorClass::DATATYPE_MISMATCH,
                 {{"sqlExpr", "\"" + GeneratedName(*bound) + "\""},
                  {"filter", "\"" + GeneratedName(*bound) + "\""},
                  {"type", "\"" + bound->type.SqlString() + "\""}},
                 "FILTER_NOT_BOOLEAN");
  }
  return bound;
}

Status CheckMergeCondition(const BoundExpressionPtr& condition, std::string_view clause) {
  if (condition == nullptr) return Status::Ok();
  const std::string operation = fmt::format("{} condition of MERGE operation", clause);
  const std::string text = fmt::format("(condition = {})", PrintSql(*condition));
  if (!IsDeterministic(*condition)) {
    return Error(ErrorClass::DELTA_NON_DETERMINISTIC_FUNCTION_NOT_SUPPORTED,
                 {{"operation", operation}, {"expression", text}});
  }
  if (ContainsWindow(*condition)) {
    return Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR,
                 {{"invalidExprSqls", "\"" + PrintSql(*condition) + "\""}});
  }
  if (ContainsAggregate(*condition)) {
    return Error(ErrorClass::DELTA_AGGREGATION_NOT_SUPPORTED,
                 {{"operation", operation}, {"predicate", text}});
  }
  if (ContainsSubquery(*condition)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_SUBQUERY,
                 {{"operation", operation}, {"cond", text}});
  }
  return Status::Ok();
}

}  // namespace merganser
