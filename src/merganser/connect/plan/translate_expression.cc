#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {
namespace {

using ProtoExpression = spark::connect::Expression;

/// What clients call operators and functions, where plan nodes have another name.
std::string OperatorName(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kNames = {{
      {"==", "="},
      {"!=", "<>"},
      {"!", "not"},
      {"isNull", "isnull"},
      {"isNotNull", "isnotnull"},
      {"bitwiseNOT", "~"},
      {"<=>", "<=>"},
      {"product", "connect_product"},
      {"distributed_sequence_id", "monotonically_increasing_id"},
  }};
  for (const auto& [theirs, ours] : kNames) {
    if (name == theirs) return std::string(ours);
  }
  return name;
}

bool IsOperator(std::string_view name) {
  static constexpr std::array<std::string_view, 25> kOperators = {
      "+", "-",  "*", "/",  "%",   "&",  "|",   "^",      "~",         "||", "=",    "<=>",  "<>",
      "<", "<=", ">", ">=", "and", "or", "not", "isnull", "isnotnull", "in", "like", "rlike"};
  return std::find(kOperators.begin(), kOperators.end(), name) != kOperators.end() ||
         name == "ilike" || name == "when";
}

Result<std::vector<plan::ExpressionPtr>> TranslateAll(
    const google::protobuf::RepeatedPtrField<ProtoExpression>& expressions,
    TranslationContext& context) {
  std::vector<plan::ExpressionPtr> translated;
  for (const ProtoExpression& expression : expressions) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateExpression(expression, context));
    translated.push_back(std::move(one));
  }
  return translated;
}

/// The arguments of a call, named ones among them.
Status AddArguments(const google::protobuf::RepeatedPtrField<ProtoExpression>& arguments,
                    plan::Call& call, TranslationContext& context) {
  for (const ProtoExpression& argument : arguments) {
    const bool named = argument.has_named_argument_expression();
    const ProtoExpression& value = named ? argument.named_argument_expression().value() : argument;
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateExpression(value, context));
    if (named) {
      call.argument_names.resize(call.arguments.size());
      call.argument_names.push_back(argument.named_argument_expression().key());
    } else if (!call.argument_names.empty()) {
      call.argument_names.emplace_back();
    }
    call.arguments.push_back(std::move(one));
  }
  return Status::Ok();
}

Result<plan::ExpressionPtr> TranslateFunction(const ProtoExpression::UnresolvedFunction& function,
                                              TranslationContext& context) {
  plan::Call call;
  const std::string name = OperatorName(function.function_name());
  call.is_operator = !function.is_user_defined_function() && IsOperator(name);
  call.distinct = function.is_distinct();
  if (function.is_user_defined_function()) {
    MERGANSER_ASSIGN_OR_RETURN(call.name, ParseColumnPath(name));
  } else {
    call.name = {name};
  }
  MERGANSER_RETURN_IF_ERROR(AddArguments(function.arguments(), call, context));
  if (name == "in" && call.arguments.size() == 1) {
    // No value is one of none.
    return plan::MakeExpression(plan::Literal{DataType::Boolean(), false});
  }
  return plan::MakeExpression(std::move(call));
}

Result<plan::ExpressionPtr> TranslateStar(const ProtoExpression::UnresolvedStar& star) {
  plan::Star translated;
  if (star.has_unparsed_target()) {
    const std::string& target = star.unparsed_target();
    if (!target.ends_with(".*")) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"target", target}},
                   "UNRESOLVED_STAR_TARGET_INVALID");
    }
    MERGANSER_ASSIGN_OR_RETURN(translated.qualifier,
                               ParseColumnPath(target.substr(0, target.size() - 2)));
  }
  translated.plan_id = star.has_plan_id() ? star.plan_id() : -1;
  return plan::MakeExpression(std::move(translated));
}

Result<plan::ExpressionPtr> TranslateCast(const ProtoExpression::Cast& cast,
                                          TranslationContext& context) {
  plan::Cast translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, TranslateExpression(cast.expr(), context));
  if (cast.has_type()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.type, TranslateType(cast.type(), context.parser));
  } else if (cast.cast_to_type_case() == ProtoExpression::Cast::kTypeStr) {
    MERGANSER_ASSIGN_OR_RETURN(translated.type, ParseDataType(cast.type_str(), context.parser));
  } else {
    return RefuseOneof(cast, "cast_to_type");
  }
  translated.is_try = cast.eval_mode() == ProtoExpression::Cast::EVAL_MODE_TRY;
  return plan::MakeExpression(std::move(translated));
}

Result<plan::ExpressionPtr> TranslateLambda(const ProtoExpression::LambdaFunction& function,
                                            TranslationContext& context) {
  plan::Lambda lambda;
  for (const auto& argument : function.arguments()) {
    if (argument.name_parts_size() != 1) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                   "UNRESOLVED_NAMED_LAMBDA_VARIABLE_REQUIRES_NAME_PART");
    }
    lambda.parameters.push_back(argument.name_parts(0));
  }
  if (lambda.parameters.empty() || lambda.parameters.size() > 3) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"got", std::to_string(lambda.parameters.size())}},
                 "LAMBDA_FUNCTION_ARGUMENT_COUNT_INVALID");
  }
  MERGANSER_ASSIGN_OR_RETURN(lambda.body, TranslateExpression(function.function(), context));
  return plan::MakeExpression(std::move(lambda));
}

/// `value` rows before (negative) or behind the current one.
plan::FrameBound OffsetBound(const plan::ExpressionPtr& value) {
  const auto* literal = value->As<plan::Literal>();
  const auto* number = literal == nullptr ? nullptr : std::get_if<int64_t>(&literal->value);
  if (number == nullptr) return {plan::BoundKind::kFollowing, value};
  if (*number == 0) return {plan::BoundKind::kCurrentRow, nullptr};
  if (*number > 0) return {plan::BoundKind::kFollowing, value};
  return {plan::BoundKind::kPreceding,
          plan::MakeExpression(plan::Literal{literal->type, -*number})};
}

Result<plan::FrameBound> TranslateBound(
    const ProtoExpression::Window::WindowFrame::FrameBoundary& boundary, bool lower,
    TranslationContext& context) {
  using Boundary = ProtoExpression::Window::WindowFrame::FrameBoundary;
  switch (boundary.boundary_case()) {
    case Boundary::kCurrentRow:
      return plan::FrameBound{plan::BoundKind::kCurrentRow, nullptr};
    case Boundary::kUnbounded:
      return plan::FrameBound{
          lower ? plan::BoundKind::kUnboundedPreceding : plan::BoundKind::kUnboundedFollowing,
          nullptr};
    case Boundary::kValue: {
      MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr value,
                                 TranslateExpression(boundary.value(), context));
      return OffsetBound(value);
    }
    default:
      return Error(
          ErrorClass::CONNECT_INVALID_PLAN, {},
          lower ? "LOWER_BOUND_REQUIRED_IN_WINDOW_FRAME" : "UPPER_BOUND_REQUIRED_IN_WINDOW_FRAME");
  }
}

Result<plan::ExpressionPtr> TranslateWindow(const ProtoExpression::Window& window,
                                            TranslationContext& context) {
  if (!window.has_window_function())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "WINDOW_FUNCTION_REQUIRED");
  plan::Window translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.function,
                             TranslateExpression(window.window_function(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.spec.partition_by,
                             TranslateAll(window.partition_spec(), context));
  for (const ProtoExpression::SortOrder& order : window.order_spec()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateOrder(order, context));
    translated.spec.order_by.push_back(std::move(one));
  }
  if (window.has_frame_spec()) {
    using Frame = ProtoExpression::Window::WindowFrame;
    const Frame& frame = window.frame_spec();
    if (frame.frame_type() != Frame::FRAME_TYPE_ROW &&
        frame.frame_type() != Frame::FRAME_TYPE_RANGE) {
      return RefuseEnum(frame, "frame_type");
    }
    plan::WindowFrame bounds;
    bounds.unit = frame.frame_type() == Frame::FRAME_TYPE_ROW ? plan::FrameUnit::kRows
                                                              : plan::FrameUnit::kRange;
    MERGANSER_ASSIGN_OR_RETURN(bounds.lower, TranslateBound(frame.lower(), true, context));
    MERGANSER_ASSIGN_OR_RETURN(bounds.upper, TranslateBound(frame.upper(), false, context));
    translated.spec.frame = std::move(bounds);
  }
  return plan::MakeExpression(std::move(translated));
}

Result<plan::ExpressionPtr> TranslateUpdateFields(const ProtoExpression::UpdateFields& update,
                                                  TranslationContext& context) {
  plan::UpdateFields translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child,
                             TranslateExpression(update.struct_expression(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.field, ParseColumnPath(update.field_name()));
  if (update.has_value_expression()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.value,
                               TranslateExpression(update.value_expression(), context));
  }
  return plan::MakeExpression(std::move(translated));
}

Result<plan::ExpressionPtr> TranslateSubquery(const spark::connect::SubqueryExpression& subquery,
                                              TranslationContext& context) {
  using Proto = spark::connect::SubqueryExpression;
  const auto query = context.subqueries.find(subquery.plan_id());
  if (query == context.subqueries.end())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "INVALID_WITH_RELATION_REFERENCE");
  plan::Subquery translated{
      .kind = plan::SubqueryKind::kScalar, .query = query->second, .values = {}};
  switch (subquery.subquery_type()) {
    case Proto::SUBQUERY_TYPE_SCALAR:
      break;
    case Proto::SUBQUERY_TYPE_EXISTS:
      translated.kind = plan::SubqueryKind::kExists;
      break;
    case Proto::SUBQUERY_TYPE_IN: {
      translated.kind = plan::SubqueryKind::kIn;
      MERGANSER_ASSIGN_OR_RETURN(translated.values,
                                 TranslateAll(subquery.in_subquery_values(), context));
      break;
    }
    default:
      return RefuseEnum(subquery, "subquery_type");
  }
  return plan::MakeExpression(std::move(translated));
}

/// The columns that colRegex names: "`pattern`" or "qualifier.`pattern`"; any other text names one.
Result<plan::ExpressionPtr> TranslateRegex(const ProtoExpression::UnresolvedRegex& regex) {
  const std::string& name = regex.col_name();
  const int64_t plan_id = regex.has_plan_id() ? regex.plan_id() : -1;
  const size_t open = name.find('`');
  const bool pattern = open != std::string::npos && name.size() > open + 2 && name.back() == '`' &&
                       (open == 0 || name[open - 1] == '.') &&
                       name.find('`', open + 1) == name.size() - 1;
  if (!pattern) {
    MERGANSER_ASSIGN_OR_RETURN(auto parts, ParseColumnPath(name));
    return plan::MakeExpression(plan::Attribute{std::move(parts), plan_id});
  }
  plan::Star star;
  if (open > 0) star.qualifier = {name.substr(0, open - 1)};
  star.plan_id = plan_id;
  star.name_pattern = name.substr(open + 1, name.size() - open - 2);
  return plan::MakeExpression(std::move(star));
}

}  // namespace

Result<plan::Alias> TranslateAlias(const ProtoExpression::Alias& alias,
                                   TranslationContext& context) {
  plan::Alias translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, TranslateExpression(alias.expr(), context));
  translated.names.assign(alias.name().begin(), alias.name().end());
  if (translated.names.empty()) return InvalidPlan("an alias has no name");
  if (alias.has_metadata()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.metadata, ParseFieldMetadata(alias.metadata()));
  }
  return translated;
}

Result<plan::ExpressionPtr> TranslateOrder(const ProtoExpression::SortOrder& order,
                                           TranslationContext& context) {
  plan::SortOrder translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, TranslateExpression(order.child(), context));
  translated.ascending = order.direction() != ProtoExpression::SortOrder::SORT_DIRECTION_DESCENDING;
  if (order.null_ordering() != ProtoExpression::SortOrder::SORT_NULLS_UNSPECIFIED)
    translated.nulls_first = order.null_ordering() == ProtoExpression::SortOrder::SORT_NULLS_FIRST;
  return plan::MakeExpression(std::move(translated));
}

Result<plan::ExpressionPtr> TranslateText(const std::string& text, TranslationContext& context) {
  return ParseExpression(text, context.parser);
}

namespace {

Result<plan::ExpressionPtr> TranslateNode(const ProtoExpression& expression,
                                          TranslationContext& context) {
  switch (expression.expr_type_case()) {
    case ProtoExpression::kLiteral:
      return TranslateLiteral(expression.literal(), context.parser);
    case ProtoExpression::kUnresolvedAttribute: {
      const auto& attribute = expression.unresolved_attribute();
      plan::Attribute translated;
      MERGANSER_ASSIGN_OR_RETURN(translated.parts,
                                 ParseColumnPath(attribute.unparsed_identifier()));
      if (attribute.has_plan_id()) translated.plan_id = attribute.plan_id();
      return plan::MakeExpression(std::move(translated));
    }
    case ProtoExpression::kUnresolvedFunction:
      return TranslateFunction(expression.unresolved_function(), context);
    case ProtoExpression::kExpressionString:
      return TranslateText(expression.expression_string().expression(), context);
    case ProtoExpression::kUnresolvedStar:
      return TranslateStar(expression.unresolved_star());
    case ProtoExpression::kUnresolvedRegex:
      return TranslateRegex(expression.unresolved_regex());
    case ProtoExpression::kAlias: {
      MERGANSER_ASSIGN_OR_RETURN(plan::Alias alias, TranslateAlias(expression.alias(), context));
      return plan::MakeExpression(std::move(alias));
    }
    case ProtoExpression::kCast:
      return TranslateCast(expression.cast(), context);
    case ProtoExpression::kSortOrder:
      return TranslateOrder(expression.sort_order(), context);
    case ProtoExpression::kLambdaFunction:
      return TranslateLambda(expression.lambda_function(), context);
    case ProtoExpression::kWindow:
      return TranslateWindow(expression.window(), context);
    case ProtoExpression::kUnresolvedExtractValue: {
      const auto& extract = expression.unresolved_extract_value();
      plan::ExtractValue translated;
      MERGANSER_ASSIGN_OR_RETURN(translated.child, TranslateExpression(extract.child(), context));
      MERGANSER_ASSIGN_OR_RETURN(translated.key,
                                 TranslateExpression(extract.extraction(), context));
      return plan::MakeExpression(std::move(translated));
    }
    case ProtoExpression::kUpdateFields:
      return TranslateUpdateFields(expression.update_fields(), context);
    case ProtoExpression::kUnresolvedNamedLambdaVariable: {
      const auto& parts = expression.unresolved_named_lambda_variable().name_parts();
      if (parts.empty()) return InvalidPlan("a variable of a lambda function has no name");
      return plan::MakeExpression(plan::Attribute{{parts.begin(), parts.end()}, -1});
    }
    case ProtoExpression::kCallFunction: {
      plan::Call call;
      MERGANSER_ASSIGN_OR_RETURN(
          const plan::MultipartName name,
          ParseMultipartName(expression.call_function().function_name(), context.parser));
      call.name = name.parts;
      MERGANSER_RETURN_IF_ERROR(
          AddArguments(expression.call_function().arguments(), call, context));
      return plan::MakeExpression(std::move(call));
    }
    case ProtoExpression::kSubqueryExpression:
      return TranslateSubquery(expression.subquery_expression(), context);
    default:
      return RefuseOneof(expression, "expr_type");
  }
}

/// Where the client's program made `expression`, as far as it says.
plan::Origin OriginOf(const ProtoExpression& expression) {
  const auto& origin = expression.common().origin();
  plan::Source source;
  if (origin.has_python_origin()) {
    source.text = CountedText(origin.python_origin().fragment());
    source.call_site = origin.python_origin().call_site();
  } else if (origin.jvm_origin().stack_trace_size() > 1) {
    const auto& caller = origin.jvm_origin().stack_trace(1);
    source.text = CountedText(origin.jvm_origin().stack_trace(0).method_name());
    source.call_site = fmt::format("{}.{}({}:{})", caller.declaring_class(), caller.method_name(),
                                   caller.file_name(), caller.line_number());
  }
  if (source.text.text().empty() || source.call_site.empty()) return {};
  return {std::make_shared<const plan::Source>(std::move(source))};
}

}  // namespace

Result<plan::ExpressionPtr> TranslateExpression(const ProtoExpression& expression,
                                                TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr translated, TranslateNode(expression, context));
  // Parts of an SQL text have their places in it.
  if (translated->origin.known()) return translated;
  plan::Origin origin = OriginOf(expression);
  if (!origin.known()) return translated;
  plan::Expression placed = *translated;
  placed.origin = std::move(origin);
  return std::make_shared<const plan::Expression>(std::move(placed));
}

}  // namespace merganser::connect
