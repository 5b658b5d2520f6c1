#include "merganser/commands/check_constraints.h"

#include "merganser/base/letter_case.h"
#include "merganser/commands/generated_columns.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {
namespace {

/// The name under which violations of CHAR and VARCHAR lengths are reported.
constexpr std::string_view kLengthConstraint = "__CHAR_VARCHAR_STRING_LENGTH_CHECK__";

}  // namespace

std::string ConstraintProperty(std::string_view name) {
  return "delta.constraints." + AsciiLowerCase(name);
}

Result<BoundExpressionPtr> BindCheckConstraint(Analyzer& analyzer,
                                               const plan::TableConstraint& constraint,
                                               const Scope& scope) {
  if (constraint.name == kLengthConstraint) {
    return Error(ErrorClass::DELTA_INVALID_CONSTRAINT_NAME, {{"name", constraint.name}});
  }
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound,
                             analyzer.BindExpressionUnchecked(constraint.check.expression, scope));
  MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(*bound, "Filter"));
  if (!bound->type.is(TypeId::kBoolean)) {
    return Error(ErrorClass::DELTA_NON_BOOLEAN_CHECK_CONSTRAINT,
                 {{"name", constraint.name}, {"expr", constraint.check.text}});
  }
  if (ContainsWindow(*bound))
    return Error(ErrorClass::WINDOW_FUNCTION_NOT_ALLOWED_IN_CLAUSE, {{"clauseName", "WHERE"}});
  if (const BoundExpression* aggregate = FindAggregate(*bound)) {
    return Error(ErrorClass::INVALID_WHERE_CONDITION, {{"condition", QuotedExpression(*bound)},
                                                       {"expressionList", PrintSql(*aggregate)}});
  }
  if (!IsDeterministic(*bound)) {
    return Error(ErrorClass::DELTA_NON_DETERMINISTIC_EXPRESSION_IN_CHECK_CONSTRAINT,
                 {{"expr", constraint.check.text}});
  }
  if (ContainsSubquery(*bound)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_EXPRESSION_CHECK_CONSTRAINT,
                 {{"expression", constraint.check.text}});
  }
  return bound;
}

Status AddCheckConstraint(Analyzer& analyzer, const StructType& schema,
                          const plan::TableConstraint& constraint, StringMap& configuration) {
  const std::string property = ConstraintProperty(constraint.name);
  if (const auto known = configuration.find(property); known != configuration.end()) {
    return Error(ErrorClass::DELTA_CONSTRAINT_ALREADY_EXISTS,
                 {{"constraintName", constraint.name}, {"oldConstraint", known->second}});
  }
  std::vector<BoundColumn> columns;
  for (const StructField& field : schema)
    columns.push_back({analyzer.NextId(), field.name, field.type, true, {}});
  auto bound = BindCheckConstraint(analyzer, constraint, TableScope(schema, columns));
  if (!bound.ok()) return std::move(bound).error();
  configuration[property] = constraint.check.text;
  return Status::Ok();
}

}  // namespace merganser
