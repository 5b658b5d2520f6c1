#include "merganser/commands/check_constraints.h"

#include "merganser/base/letter_case.h"
#include "merganser/commands/generated_columns.h"

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
  if (!bound->type.is(TypeId::kBoolean) && !bound->type.is(TypeId::kNull)) {
    return Error(ErrorClass::DELTA_NON_BOOLEAN_CHECK_CONSTRAINT,
                 {{"name", constraint.name}, {"expr", constraint.check.text}});
  }
  if (ContainsAggregate(*bound)) {
    return Error(ErrorClass::DELTA_AGGREGATE_IN_CHECK_CONSTRAINT,
                 {{"sqlExpr", constraint.check.text}});
  }
  if (!IsDeterministic(*bound)) {
    return Error(ErrorClass::DELTA_NON_DETERMINISTIC_EXPRESSION_IN_CHECK_CONSTRAINT,
                 {{"expr", constraint.check.text}});
  }
  if (ContainsSubquery(*bound) || ContainsWindow(*bound)) {
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
