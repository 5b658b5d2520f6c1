#include "merganser/engine/lowering/expression_lowering.h"

#include <utility>

#include <fmt/format.h>

#include "merganser/engine/lowering/aggregate_lowering.h"
#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/cast_sql.h"
#include "merganser/engine/lowering/evaluation_order.h"
#include "merganser/engine/lowering/literal_sql.h"
#include "merganser/engine/lowering/nested_order.h"
#include "merganser/engine/lowering/null_constant.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/engine/lowering/window_lowering.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {
namespace {

/// Is that known without running the query?
bool GivesAtMostOneRow(const BoundRelation& query) {
  if (const auto* aggregation = query.As<BoundAggregation>())
    return aggregation->group_by.empty() && aggregation->sets.empty();
  if (const auto* values = query.As<BoundValues>()) return values->rows.size() <= 1;
  if (const auto* limit = query.As<BoundLimit>())
    return limit->limit.value_or(2) <= 1 || GivesAtMostOneRow(*limit->child);
  if (const auto* project = query.As<BoundProject>()) return GivesAtMostOneRow(*project->child);
  if (const auto* filter = query.As<BoundFilter>()) return GivesAtMostOneRow(*filter->child);
  if (const auto* sort = query.As<BoundSort>()) return GivesAtMostOneRow(*sort->child);
  return false;
}

/// Where a value is stored decides the class of an overflow, of the cast or inside of the value.
Json AssignmentJson(const BoundCast& cast, const DataType& type) {
  Json json = Json::MakeObject();
  json.Set("column", cast.assigned_column);
  json.Set("insert", cast.is_insert);
  json.Set("from", cast.child->type.SqlString());
  json.Set("to", type.SqlString());
  return json;
}

}  // namespace

Result<std::string> ExpressionLowering::Lower(const BoundExpression& expression) {
  return std::visit([&](const auto& node) { return LowerNode(node, expression); }, expression.node);
}

Result<std::vector<std::string>> ExpressionLowering::LowerAll(
    const std::vector<BoundExpressionPtr>& expressions) {
  std::vector<std::string> sql;
  for (const auto& expression : expressions) {
    MERGANSER_ASSIGN_OR_RETURN(std::string item, Lower(*expression));
    sql.push_back(std::move(item));
  }
  return sql;
}

Result<std::string> ExpressionLowering::LowerInlineValue(const BoundExpression& expression) {
  inline_value_ = "\"" + GeneratedName(expression) + "\"";
  auto sql = Lower(expression);
  inline_value_.clear();
  return sql;
}

std::string ExpressionLowering::ErrorContext(const BoundExpression& expression) const {
  const auto place = plan::ContextOf(expression.origin);
  if (!place && !assignment_ && inline_value_.empty()) return "''";
  Json json = place ? place->ToJson() : Json::MakeObject();
  if (assignment_) json.Set("assigned", *assignment_);
  if (!inline_value_.empty()) json.Set("inline", inline_value_);
  return QuoteText(json.Dump());
}

std::string ExpressionLowering::LambdaName(const BoundColumnRef& parameter) {
  return fmt::format("x{}", parameter.id);
}

Result<std::string> ExpressionLowering::LowerBody(const BoundLambda& lambda,
                                                  const std::vector<std::string>& parameters) {
  for (size_t i = 0; i < lambda.parameters.size(); ++i) {
    lambda_parameters_[lambda.parameters[i].id] = parameters[i];
  }
  auto body = Lower(*lambda.body);
  for (const auto& parameter : lambda.parameters) lambda_parameters_.erase(parameter.id);
  return body;
}

Result<std::string> ExpressionLowering::LowerNode(const plan::Literal& literal,
                                                  const BoundExpression&) {
  return LiteralSqlText(literal);
}

Result<std::string> ExpressionLowering::LowerNode(const BoundColumnRef& column,
                                                  const BoundExpression&) {
  const auto parameter = lambda_parameters_.find(column.id);
  return parameter == lambda_parameters_.end() ? EngineColumn(column.id) : parameter->second;
}

Result<std::string> ExpressionLowering::LowerNode(const BoundCall& call,
                                                  const BoundExpression& expression) {
  MERGANSER_ASSIGN_OR_RETURN(std::string sql, LowerUnguarded(call, expression));
  return GuardArguments(call, std::move(sql), *this);
}

Result<std::string> ExpressionLowering::LowerUnguarded(const BoundCall& call,
                                                       const BoundExpression& expression) {
  if (IsNullConstant(expression)) return CastSql("NULL", EngineType(expression.type));
  if (call.replacement) return Lower(*call.replacement);
  if (call.function == "and" || call.function == "or")
    return LowerLogic(expression, call.function == "and", *this);
  const CallLowering* lowering = FindCallLowering(call.function);
  if (lowering == nullptr) {
    return Error(ErrorClass::UNRESOLVED_ROUTINE,
                 {{"routineName", "`" + call.function + "`"}, {"searchPath", "[]"}});
  }
  std::vector<std::string> arguments;
  for (const auto& argument : call.arguments) {
    // A lambda is lowered by its function, which knows what its parameters stand for.
    std::string sql;
    if (argument->As<BoundLambda>() == nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(sql, Lower(*argument));
    }
    arguments.push_back(std::move(sql));
  }
  return LowerCall(LoweredCall{call, expression, arguments, *this}, *lowering);
}

Result<std::string> ExpressionLowering::LowerNode(const BoundCast& cast,
                                                  const BoundExpression& expression) {
  if (cast.assigned_column.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, Lower(*cast.child));
    return CastToSparkType(value, cast, expression, ErrorContext(expression), context_);
  }
  Json assignment = AssignmentJson(cast, expression.type);
  Json context = Json::MakeObject();
  context.Set("assigned", assignment);
  auto outer = std::exchange(assignment_, std::move(assignment));
  auto value = Lower(*cast.child);
  assignment_ = std::move(outer);
  if (!value.ok()) return value;
  return CastToSparkType(*value, cast, expression, QuoteText(context.Dump()), context_);
}

Result<std::string> ExpressionLowering::LowerNode(const BoundLambda&, const BoundExpression&) {
  return Error::Internal("a lambda outside a function that takes one");
}

Result<std::string> ExpressionLowering::LowerNode(const BoundSubquery& subquery,
                                                  const BoundExpression& expression) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string query, LowerRelation(*subquery.query, context_));
  switch (subquery.kind) {
    case plan::SubqueryKind::kScalar: {
      if (GivesAtMostOneRow(*subquery.query)) return "(" + query + ")";
      const Error error =
          AtOrigin(Error(ErrorClass::SCALAR_SUBQUERY_TOO_MANY_ROWS), expression.origin);
      return fmt::format(
          "(SELECT CASE WHEN CASE WHEN count(*) > 1 THEN mg_raise({}) END THEN NULL "
          "ELSE first({}) END FROM ({}) AS q)",
          QuoteText(error.ToJson()), EngineColumn(subquery.query->columns[0].id), query);
    }
    case plan::SubqueryKind::kExists:
      return "EXISTS (" + query + ")";
    case plan::SubqueryKind::kIn:
      break;
  }
  MERGANSER_ASSIGN_OR_RETURN(const auto values, LowerAll(subquery.values));
  return fmt::format("(({}) IN ({}))", fmt::join(values, ", "), query);
}

Result<std::string> ExpressionLowering::LowerNode(const BoundAggregate& aggregate,
                                                  const BoundExpression& expression) {
  return LowerAggregate(aggregate, expression, {});
}

Result<std::string> ExpressionLowering::LowerNode(const BoundWindow& window,
                                                  const BoundExpression& expression) {
  return LowerWindow(window, expression, *this);
}

Result<std::string> ExpressionLowering::LowerNode(const BoundField& field, const BoundExpression&) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, Lower(*field.child));
  return fmt::format("struct_extract({}, {})", child, QuoteText(field.name));
}

Result<std::string> ExpressionLowering::LowerAggregate(const BoundAggregate& aggregate,
                                                       const BoundExpression& expression,
                                                       const std::string& over) {
  MERGANSER_ASSIGN_OR_RETURN(const auto arguments, LowerAll(aggregate.arguments));
  LoweredAggregate call{
      aggregate, expression, arguments, {}, {}, {}, over, ErrorContext(expression), context_};
  if (aggregate.filter) {
    MERGANSER_ASSIGN_OR_RETURN(call.filter, Lower(*aggregate.filter));
  }
  MERGANSER_ASSIGN_OR_RETURN(call.order, LowerSortOrders(aggregate.order, *this));
  for (const BoundSortOrder& order : aggregate.order) {
    MERGANSER_ASSIGN_OR_RETURN(std::string key, Lower(*order.child));
    call.order_keys.push_back(std::move(key));
  }
  return LowerAggregateCall(call);
}

Result<std::string> LowerSortOrders(const std::vector<BoundSortOrder>& orders,
                                    ExpressionLowering& lowering) {
  std::string sql;
  for (const BoundSortOrder& order : orders) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, lowering.Lower(*order.child));
    sql += fmt::format("{}{} {} NULLS {}", sql.empty() ? "" : ", ",
                       OrderKeySql(value, order.child->type), order.ascending ? "ASC" : "DESC",
                       order.nulls_first ? "FIRST" : "LAST");
  }
  return sql;
}

Result<std::string> LowerExpression(const BoundExpression& expression,
                                    const LoweringContext& context) {
  return ExpressionLowering(context).Lower(expression);
}

}  // namespace merganser
