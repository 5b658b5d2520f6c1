#include <algorithm>
#include <optional>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/delta_table_functions.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/time_window.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/sql/primary_parser.h"

namespace merganser {

namespace {

/// `count(*)` counts rows; any other star in an argument list stands for columns.
bool IsCountStar(const plan::Call& call, const std::string& name) {
  if (name != "count" || call.distinct || call.arguments.size() != 1) return false;
  const auto* star = call.arguments[0]->As<plan::Star>();
  return star != nullptr && star->qualifier.empty() && star->except.empty();
}

/// Functions that give rows and stand in FROM only.
bool IsTableFunction(const std::string& name) {
  return name == "range" || IsDeltaTableFunction(name);
}

bool IsGroupingFunction(const std::string& name) {
  return name == "grouping" || name == "grouping_id" || name == "grouping__id";
}

}  // namespace

Result<std::string> Binder::FunctionName(const std::vector<std::string>& parts,
                                         const plan::Origin& origin) const {
  const auto is = [&](size_t i, std::string_view name) { return SameName(parts[i], name, false); };
  if (parts.size() == 1) return parts[0];
  if (parts.size() == 2 && is(0, "builtin")) return parts[1];
  if (parts.size() == 3 && is(0, "system") && is(1, "builtin")) return parts[2];
  if (parts.size() > 3) {
    return At(Error(ErrorClass::REQUIRES_SINGLE_PART_NAMESPACE,
                    {{"sessionCatalog", std::string(kSparkCatalog)},
                     {"identifier", QuotedIdentifier(parts)}}),
              origin);
  }
  return UnresolvedRoutine(parts, origin);
}

Error Binder::UnresolvedRoutine(const std::vector<std::string>& name,
                                const plan::Origin& origin) const {
  return At(Error(ErrorClass::UNRESOLVED_ROUTINE,
                  {{"routineName", QuotedIdentifier(name)}, {"searchPath", SearchPath()}}),
            origin);
}

Status Binder::LookUpRoutines(const std::vector<plan::CalledRoutine>& routines) const {
  for (const plan::CalledRoutine& routine : routines) {
    MERGANSER_ASSIGN_OR_RETURN(std::string name, FunctionName(routine.name, routine.origin));
    name = AsciiLowerCase(name);
    const bool known = FindFunction(name) || IsTableFunction(name) || IsGroupingFunction(name) ||
                       IsTimeWindow(name);
    if (known) continue;
    return UnresolvedRoutine(routine.name, routine.origin);
  }
  return Status::Ok();
}

Error Binder::MisplacedGenerator(const BoundExpression& expression,
                                 const ExpressionScope& scope) const {
  const std::string operator_name = scope.operator_name;
  const std::string text = GeneratedName(expression);
  if (operator_name == "Project" || operator_name == "Generate") {
    return Error(ErrorClass::UNSUPPORTED_GENERATOR, {{"expression", "\"" + text + "\""}},
                 "NESTED_IN_EXPRESSIONS");
  }
  return Error(ErrorClass::UNSUPPORTED_GENERATOR, {{"plan", operator_name + " " + text}},
               "OUTSIDE_SELECT");
}

Status Binder::BindArguments(const plan::Call& call, ExpressionScope& scope, CallRequest* request) {
  const auto add = [&](BoundExpressionPtr argument, const plan::Lambda* lambda, std::string name) {
    request->arguments.push_back(std::move(argument));
    request->lambdas.push_back(lambda);
    request->argument_names.push_back(std::move(name));
  };
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const plan::ExpressionPtr& argument = call.arguments[i];
    std::string name = call.argument_names.empty() ? std::string() : call.argument_names[i];
    if (const auto* lambda = argument->As<plan::Lambda>()) {
      add(nullptr, lambda, std::move(name));
    } else if (const auto* star = argument->As<plan::Star>();
               star != nullptr && !scope.scopes.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(std::vector<StarColumn> columns,
                                 ExpandStar(*star, *scope.scopes[0], argument->origin));
      for (StarColumn& column : columns) {
        const bool plain = column.expression->As<BoundColumnRef>() != nullptr;
        add(plain ? std::move(column.expression)
                  : NamedArgument(std::move(column.expression), column.name),
            nullptr, {});
      }
    } else if (const auto* alias = argument->As<plan::Alias>();
               alias != nullptr && alias->names.size() == 1) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(alias->child, scope));
      add(NamedArgument(std::move(child), alias->names[0]), nullptr, std::move(name));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindExpression(argument, scope));
      if (FindGenerator(*bound) != nullptr) return MisplacedGenerator(*bound, scope);
      add(std::move(bound), nullptr, std::move(name));
    }
  }
  const auto& names = request->argument_names;
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty(); })) {
    request->argument_names.clear();
  }
  return Status::Ok();
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Call& call,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  if (const std::string name = PathColumnName(expression); !name.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr part,
                               BindCall(call, expression.origin, scope, false));
    return NamedArgument(std::move(part), name);
  }
  return BindCall(call, expression.origin, scope, false);
}

Result<BoundExpressionPtr> Binder::BindCall(const plan::Call& call, const plan::Origin& origin,
                                            ExpressionScope& scope, bool in_window) {
  CallRequest request;
  MERGANSER_ASSIGN_OR_RETURN(request.name, FunctionName(call.name, origin));
  const std::string name = AsciiLowerCase(request.name);
  if (!call.is_operator && IsGroupingFunction(name)) return BindGrouping(call, name, origin, scope);
  const std::optional<FunctionKind> kind = FindFunction(name);
  if (!call.is_operator && (kind == FunctionKind::kTable || IsTableFunction(name))) {
    return At(Error(ErrorClass::NOT_A_SCALAR_FUNCTION, {{"functionName", QuotedIdentifier(name)}}),
              origin);
  }
  request.origin = origin;
  request.distinct = call.distinct;
  request.ignore_nulls = call.ignore_nulls;
  request.is_operator = call.is_operator;

  const bool aggregate = kind == FunctionKind::kAggregate;
  scope.aggregate_depth += aggregate ? 1 : 0;
  const Status arguments = [&]() -> Status {
    if (IsCountStar(call, name)) {
      const DataType type = DataType::Integer();
      request.arguments = {
          MakeBound(plan::Literal{type, int64_t{1}}, type, false, call.arguments[0]->origin)};
      request.lambdas = {nullptr};
    } else if (name == "count" && call.arguments.size() == 1 && !call.distinct &&
               call.arguments[0]->As<plan::Star>() != nullptr) {
      return At(
          Error(ErrorClass::INVALID_USAGE_OF_STAR_WITH_TABLE_IDENTIFIER_IN_COUNT,
                {{"tableName", QuotedIdentifier(call.arguments[0]->As<plan::Star>()->qualifier)}}),
          origin);
    } else {
      MERGANSER_RETURN_IF_ERROR(BindArguments(call, scope, &request));
    }
    if (call.filter != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(request.filter, BindExpression(call.filter, scope));
    }
    MERGANSER_ASSIGN_OR_RETURN(request.within_group, BindSortOrders(call.within_group, scope));
    return Status::Ok();
  }();
  scope.aggregate_depth -= aggregate ? 1 : 0;
  MERGANSER_RETURN_IF_ERROR(arguments);

  const LambdaBinder bind_lambda = [&](const plan::Lambda& lambda,
                                       const std::vector<DataType>& types,
                                       const std::vector<bool>& nullable) {
    return BindLambda(lambda, types, nullable, scope, origin);
  };
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, ResolveCall(request, typing_, bind_lambda));
  if (kind == FunctionKind::kWindow && !in_window) {
    return At(Error(ErrorClass::WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE,
                    {{"funcName", QuotedExpression(*bound)}}),
              scope.operator_origin.known() ? scope.operator_origin : origin);
  }
  MERGANSER_RETURN_IF_ERROR(CheckAggregate(*bound, origin, in_window));
  return bound;
}

Status Binder::CheckAggregate(const BoundExpression& call, const plan::Origin& origin,
                              bool in_window) const {
  const auto* aggregate = call.As<BoundAggregate>();
  if (aggregate == nullptr) return Status::Ok();
  if (aggregate->filter != nullptr) {
    const BoundExpression& filter = *aggregate->filter;
    const auto invalid = [&](std::string sub_class, Error::Parameters more = {}) {
      more["filterExpr"] = QuotedExpression(filter);
      return At(Error(ErrorClass::INVALID_AGGREGATE_FILTER, std::move(more), std::move(sub_class)),
                origin);
    };
    if (!filter.type.is(TypeId::kBoolean)) return invalid("NOT_BOOLEAN");
    if (!IsDeterministic(filter)) return invalid("NON_DETERMINISTIC");
    if (const BoundExpression* window = FindWindow(filter)) {
      return invalid("CONTAINS_WINDOW_FUNCTION", {{"windowExpr", QuotedExpression(*window)}});
    }
    if (const BoundExpression* inner = FindAggregate(filter)) {
      return invalid("CONTAINS_AGGREGATE", {{"aggExpr", QuotedExpression(*inner)}});
    }
  }
  if (in_window) return Status::Ok();
  for (const BoundExpressionPtr& argument : aggregate->arguments) {
    if (argument == nullptr) continue;
    if (const BoundExpression* inner = FindAggregate(*argument))
      return At(Error(ErrorClass::NESTED_AGGREGATE_FUNCTION), inner->origin);
    if (FindWindow(*argument) != nullptr)
      return At(Error(ErrorClass::_LEGACY_ERROR_TEMP_1031), origin);
    if (!IsDeterministic(*argument)) {
      return At(Error(ErrorClass::AGGREGATE_FUNCTION_WITH_NONDETERMINISTIC_EXPRESSION,
                      {{"sqlExpr", QuotedExpression(call)}}),
                argument->origin);
    }
  }
  return Status::Ok();
}

Result<BoundExpressionPtr> Binder::BindGrouping(const plan::Call& call, const std::string& name,
                                                const plan::Origin& origin,
                                                ExpressionScope& scope) {
  BoundCall bound{.function = name == "grouping" ? "grouping" : "grouping_id", .arguments = {}};
  for (const plan::ExpressionPtr& argument : call.arguments) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(argument, scope));
    bound.arguments.push_back(std::move(child));
  }
  if (name == "grouping" && bound.arguments.size() != 1) {
    return At(Error(ErrorClass::WRONG_NUM_ARGS,
                    {{"functionName", "`grouping`"},
                     {"expectedNum", "1"},
                     {"actualNum", std::to_string(bound.arguments.size())},
                     {"docroot", "https://spark.apache.org/docs/latest"}},
                    "WITHOUT_SUGGESTION"),
              origin);
  }
  const DataType type = name == "grouping" ? DataType::Byte() : DataType::Long();
  return MakeBound(std::move(bound), type, false, origin);
}

Result<BoundExpressionPtr> Binder::BindLambda(const plan::Lambda& lambda,
                                              const std::vector<DataType>& types,
                                              const std::vector<bool>& nullable,
                                              ExpressionScope& scope, const plan::Origin& origin) {
  LambdaFrame frame;
  BoundLambda bound;
  for (size_t i = 0; i < lambda.parameters.size() && i < types.size(); ++i) {
    for (const std::string& other : frame.names) {
      if (!SameName(other, lambda.parameters[i], case_sensitive())) continue;
      std::string names;
      for (const std::string& name : lambda.parameters)
        names += (names.empty() ? "" : ", ") + QuotedIdentifier(name);
      return At(Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL,
                      {{"args", names}, {"caseSensitiveConfig", "\"spark.sql.caseSensitive\""}},
                      "DUPLICATE_ARG_NAMES"),
                origin);
    }
    const BoundColumnRef parameter{NextId(), lambda.parameters[i], {}};
    frame.names.push_back(lambda.parameters[i]);
    frame.parameters.push_back(MakeBound(parameter, types[i], nullable[i]));
    bound.parameters.push_back(parameter);
  }
  scope.lambdas.push_back(std::move(frame));
  auto body = BindExpression(lambda.body, scope);
  scope.lambdas.pop_back();
  if (!body.ok()) return std::move(body).error();
  const DataType type = (*body)->type;
  const bool may_be_null = (*body)->nullable;
  bound.body = *std::move(body);
  return MakeBound(std::move(bound), type, may_be_null, origin);
}

}  // namespace merganser
