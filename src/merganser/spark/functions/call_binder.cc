#include "merganser/spark/functions/call_binder.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/signature.h"

namespace merganser {
namespace {

const Signature& CachedSignature(std::string_view text) {
  thread_local std::unordered_map<std::string_view, Signature> signatures;
  const auto found = signatures.find(text);
  return found != signatures.end() ? found->second
                                   : signatures.emplace(text, ParseSignature(text)).first->second;
}

std::string ExpectedNumber(size_t least, size_t most) {
  if (most == SIZE_MAX) return fmt::format("> {}", least == 0 ? 0 : least - 1);
  if (least == most) return fmt::format("{}", least);
  std::string text = "[";
  for (size_t n = least; n <= most; ++n) text += fmt::format("{}{}", n == least ? "" : ", ", n);
  return text + "]";
}

std::string Ordinal(size_t index) {
  constexpr const char* kOrdinals[] = {"first", "second",  "third",  "fourth", "fifth",
                                       "sixth", "seventh", "eighth", "ninth",  "tenth"};
  return index < std::size(kOrdinals) ? kOrdinals[index] : fmt::format("{}th", index + 1);
}

bool HasVariables(const TypePattern& pattern) {
  return pattern.kind == PatternKind::kVariable ||
         std::any_of(pattern.parts.begin(), pattern.parts.end(), &HasVariables);
}

/// Elements and keys have the tightest common type that Spark has without ANSI, whatever is set: an
/// INT beside a FLOAT is a FLOAT.
TypingContext WithoutAnsi(TypingContext context) {
  context.ansi = false;
  return context;
}

/// Collect what `type` says about the variables of `pattern`. False if they do not fit together.
bool Unify(const TypePattern& pattern, const DataType& type, const TypingContext& context,
           TypeVariables& variables) {
  switch (pattern.kind) {
    case PatternKind::kVariable: {
      for (auto& [name, known] : variables) {
        if (name != pattern.variable) continue;
        const auto common = pattern.variable == 'W'
                                ? FindWiderTypeWithoutStrings(known, type, context)
                                : FindTightestCommonType(known, type, WithoutAnsi(context));
        if (!common) return false;
        known = *common;
        return true;
      }
      variables.emplace_back(pattern.variable, type);
      return true;
    }
    case PatternKind::kArray:
      return type.is(TypeId::kNull) || !type.is(TypeId::kArray) ||
             Unify(pattern.parts[0], type.element(), context, variables);
    case PatternKind::kMap:
      return type.is(TypeId::kNull) || !type.is(TypeId::kMap) ||
             (Unify(pattern.parts[0], type.key(), context, variables) &&
              Unify(pattern.parts[1], type.value(), context, variables));
    default:
      return true;
  }
}

/// `pattern` with its variables replaced, keeping the nullability of `from`.
DataType Substitute(const TypePattern& pattern, const DataType& from,
                    const TypeVariables& variables) {
  switch (pattern.kind) {
    case PatternKind::kVariable:
      for (const auto& [name, type] : variables) {
        if (name == pattern.variable) return type;
      }
      return from;
    case PatternKind::kArray: {
      const bool known = from.is(TypeId::kArray);
      return DataType::Array(
          Substitute(pattern.parts[0], known ? from.element() : DataType::Null(), variables),
          !known || from.contains_null());
    }
    case PatternKind::kMap: {
      const bool known = from.is(TypeId::kMap);
      return DataType::Map(
          Substitute(pattern.parts[0], known ? from.key() : DataType::Null(), variables),
          Substitute(pattern.parts[1], known ? from.value() : DataType::Null(), variables),
          !known || from.contains_null());
    }
    default:
      return from;
  }
}

bool IsIgnoreNullsFlag(const CallRequest& request) { return request.ignore_nulls.value_or(false); }

}  // namespace

std::string QuotedType(const DataType& type) { return "\"" + type.SqlString() + "\""; }

std::string QuotedExpression(const BoundExpression& expression) {
  return "\"" + GeneratedName(expression) + "\"";
}

CallBinder::CallBinder(const FunctionEntry& entry, const CallRequest& request,
                       const TypingContext& context, const LambdaBinder& bind_lambda)
    : entry_(entry),
      request_(request),
      context_(context),
      bind_lambda_(bind_lambda),
      arguments_(request.arguments) {}

bool CallBinder::AnyNullable() const {
  return std::any_of(arguments_.begin(), arguments_.end(),
                     [](const auto& argument) { return argument && argument->nullable; });
}

const plan::Lambda* CallBinder::lambda(size_t i) const {
  return i < request_.lambdas.size() ? request_.lambdas[i] : nullptr;
}

Status CallBinder::RequireArguments(size_t least, size_t most) {
  if (size() >= least && size() <= most) return Status::Ok();
  return At(Error(ErrorClass::WRONG_NUM_ARGS,
                  {{"functionName", QuotedIdentifier(entry_.name)},
                   {"expectedNum", ExpectedNumber(least, most)},
                   {"actualNum", fmt::format("{}", size())},
                   {"docroot", "https://spark.apache.org/docs/latest"}},
                  "WITHOUT_SUGGESTION"));
}

Status CallBinder::OrderNamedArguments(std::string_view signature_text) {
  const auto& names = request_.argument_names;
  const auto is_named = [](const std::string& name) { return !name.empty(); };
  if (std::none_of(names.begin(), names.end(), is_named)) return Status::Ok();
  const Signature& signature = CachedSignature(signature_text);
  const std::string function = QuotedIdentifier(entry_.name);
  std::vector<BoundExpressionPtr> ordered(signature.parameters.size());
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (!is_named(names[i])) {
      if (i > 0 && is_named(names[i - 1])) {
        return At(
            Error(ErrorClass::UNEXPECTED_POSITIONAL_ARGUMENT,
                  {{"routineName", function}, {"parameterName", QuotedIdentifier(names[i - 1])}}));
      }
      if (i < ordered.size()) ordered[i] = arguments_[i];
      continue;
    }
    size_t position = 0;
    while (position < signature.parameters.size() &&
           signature.parameters[position].name != names[i])
      ++position;
    if (position == signature.parameters.size()) {
      if (signature.parameters.empty() || signature.parameters[0].name.empty()) {
        return At(Error(ErrorClass::NAMED_PARAMETERS_NOT_SUPPORTED, {{"functionName", function}}));
      }
      std::string proposal;
      for (const auto& parameter : signature.parameters) {
        proposal += (proposal.empty() ? "" : ", ") + QuotedIdentifier(parameter.name);
      }
      return At(Error(ErrorClass::UNRECOGNIZED_PARAMETER_NAME,
                      {{"routineName", function},
                       {"argumentName", QuotedIdentifier(names[i])},
                       {"proposal", proposal}}));
    }
    if (ordered[position]) {
      const bool twice = std::ranges::find(names.begin(), names.begin() + static_cast<int64_t>(i),
                                           names[i]) != names.begin() + static_cast<int64_t>(i);
      return At(Error(ErrorClass::DUPLICATE_ROUTINE_PARAMETER_ASSIGNMENT,
                      {{"routineName", function}, {"parameterName", QuotedIdentifier(names[i])}},
                      twice ? "DOUBLE_NAMED_ARGUMENT_REFERENCE" : "BOTH_POSITIONAL_AND_NAMED"));
    }
    ordered[position] = arguments_[i];
  }
  while (!ordered.empty() && !ordered.back()) ordered.pop_back();
  for (size_t i = 0; i < ordered.size(); ++i) {
    const SignatureParameter& parameter = signature.parameters[i];
    if (ordered[i]) continue;
    if (!parameter.default_value) {
      return At(Error(ErrorClass::REQUIRED_PARAMETER_NOT_FOUND,
                      {{"routineName", function},
                       {"parameterName", QuotedIdentifier(parameter.name)},
                       {"index", fmt::format("{}", i)}}));
    }
    ordered[i] = Constant(*parameter.default_value);
  }
  arguments_ = std::move(ordered);
  return Status::Ok();
}

Status CallBinder::Apply(std::string_view signature_text) {
  MERGANSER_RETURN_IF_ERROR(OrderNamedArguments(signature_text));
  const Signature& signature = CachedSignature(signature_text);
  MERGANSER_RETURN_IF_ERROR(RequireArguments(signature.min_arguments(), signature.max_arguments()));
  for (size_t i = size(); i < signature.parameters.size() && signature.parameters[i].default_value;
       ++i) {
    arguments_.push_back(Constant(*signature.parameters[i].default_value));
  }
  const auto pattern_of = [&](size_t i) -> const TypePattern& {
    return signature.parameters[std::min(i, signature.parameters.size() - 1)].pattern;
  };
  TypeVariables variables;
  for (size_t i = 0; i < size(); ++i) {
    if (!arguments_[i]) continue;  // A lambda: its function binds it.
    const bool castable = !entry_.exact || type(i).is(TypeId::kNull) || type(i).is(TypeId::kArray);
    const auto target = castable || Accepts(pattern_of(i), type(i))
                            ? ImplicitTarget(type(i), pattern_of(i), context_)
                            : std::nullopt;
    if (!target) return UnexpectedInput(i, PatternText(pattern_of(i)));
    if (!target->SameType(type(i))) Cast(i, *target);
    if (!Unify(pattern_of(i), type(i), context_, variables)) {
      if (i > 0 && pattern_of(0).kind == PatternKind::kArray) {
        const bool arrays = pattern_of(i).kind == PatternKind::kArray;
        Error::Parameters parameters = {{"functionName", QuotedIdentifier(entry_.name)},
                                        {arrays ? "arrayType" : "dataType", "\"ARRAY\""},
                                        {"leftType", QuotedType(type(0))},
                                        {"rightType", QuotedType(type(i))}};
        return Mismatch(arrays ? "BINARY_ARRAY_DIFF_TYPES" : "ARRAY_FUNCTION_DIFF_TYPES",
                        std::move(parameters));
      }
      std::string types;
      for (const auto& argument : arguments_)
        types += (types.empty() ? "(" : " or ") + QuotedType(argument->type);
      return Mismatch("DATA_DIFF_TYPES",
                      {{"functionName", QuotedIdentifier(entry_.name)}, {"dataType", types + ")"}});
    }
  }
  for (size_t i = 0; i < size(); ++i) {
    if (arguments_[i] && HasVariables(pattern_of(i)))
      Cast(i, Substitute(pattern_of(i), type(i), variables));
  }
  std::vector<DataType> types;
  for (const auto& argument : arguments_)
    types.push_back(argument ? argument->type : DataType::Null());
  result_ = ResultType(signature.result, types, variables);
  result_nullable_ = signature.nullability == ResultNullability::kAlways ||
                     (signature.nullability == ResultNullability::kAnyArgument && AnyNullable());
  return Status::Ok();
}

Result<BoundExpressionPtr> CallBinder::ApplyAndFinish(std::string_view signature) {
  MERGANSER_RETURN_IF_ERROR(Apply(signature));
  return Finish(result_, result_nullable_);
}

void CallBinder::Cast(size_t i, const DataType& type) {
  arguments_[i] = ImplicitCast(arguments_[i], type, context_, request_.origin);
}

std::optional<DataType> CallBinder::CastToCommonType(size_t first, size_t step) {
  std::vector<DataType> types;
  for (size_t i = first; i < size(); i += step) types.push_back(type(i));
  auto common = FindWiderType(types, context_);
  if (!common) return std::nullopt;
  for (size_t i = first; i < size(); i += step) Cast(i, *common);
  return common;
}

std::optional<plan::Literal> CallBinder::Constant(size_t i) const {
  const BoundExpression& argument = *arguments_[i];
  auto folded = FoldLiteral(argument);
  if (folded || !context_.evaluate) return folded;
  std::vector<ColumnId> columns;
  CollectColumns(argument, columns);
  if (!columns.empty() || ContainsSubquery(argument) || ContainsAggregate(argument) ||
      ContainsWindow(argument) || !IsDeterministic(argument)) {
    return std::nullopt;
  }
  auto value = context_.evaluate(argument);
  return value.ok() ? std::optional(*std::move(value)) : std::nullopt;
}

std::optional<int64_t> CallBinder::ConstantInteger(size_t i) const {
  const auto literal = Constant(i);
  if (!literal || !literal->type.is_integral() || literal->is_null()) return std::nullopt;
  return std::get<int64_t>(literal->value);
}

std::optional<std::string> CallBinder::ConstantString(size_t i) const {
  const auto literal = Constant(i);
  if (!literal || !literal->type.is_string() || literal->is_null()) return std::nullopt;
  return std::get<std::string>(literal->value);
}

Status CallBinder::BindLambda(size_t i, const std::vector<DataType>& types,
                              const std::vector<bool>& nullable) {
  const plan::Lambda* unbound = lambda(i);
  if (unbound == nullptr) {
    return At(Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL, {},
                    "PARAMETER_DOES_NOT_ACCEPT_LAMBDA_FUNCTION"));
  }
  if (unbound->parameters.size() != types.size()) {
    return At(Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL,
                    {{"expectedNumArgs", fmt::format("{}", unbound->parameters.size())},
                     {"actualNumArgs", fmt::format("{}", types.size())}},
                    "NUM_ARGS_MISMATCH"));
  }
  MERGANSER_ASSIGN_OR_RETURN(arguments_[i], bind_lambda_(*unbound, types, nullable));
  return Status::Ok();
}

const DataType& CallBinder::LambdaType(size_t i) const {
  return arguments_[i]->As<BoundLambda>()->body->type;
}

bool CallBinder::LambdaNullable(size_t i) const {
  return arguments_[i]->As<BoundLambda>()->body->nullable;
}

void CallBinder::CastLambda(size_t i, const DataType& type) {
  BoundLambda lambda = *arguments_[i]->As<BoundLambda>();
  lambda.body = ImplicitCast(lambda.body, type, context_, request_.origin);
  arguments_[i] =
      MakeBound(std::move(lambda), type, arguments_[i]->nullable, arguments_[i]->origin);
}

BoundExpressionPtr CallBinder::MakeCall(DataType type, bool nullable,
                                        BoundExpressionPtr replacement) const {
  BoundCall call{std::string(entry_.name), arguments_, request_.is_operator,
                 std::move(replacement)};
  return MakeBound(std::move(call), std::move(type), nullable, request_.origin);
}

BoundExpressionPtr CallBinder::Finish(DataType type, bool nullable) const {
  if (entry_.kind != FunctionKind::kAggregate) return MakeCall(std::move(type), nullable, nullptr);
  BoundAggregate aggregate;
  aggregate.function = entry_.name;
  aggregate.arguments = arguments_;
  aggregate.distinct = request_.distinct;
  aggregate.filter = request_.filter;
  aggregate.ignore_nulls = IsIgnoreNullsFlag(request_);
  aggregate.order = request_.within_group;
  return MakeBound(std::move(aggregate), std::move(type), nullable, request_.origin);
}

BoundExpressionPtr CallBinder::Replace(BoundExpressionPtr replacement) const {
  DataType type = replacement->type;
  const bool nullable = replacement->nullable;
  return MakeCall(std::move(type), nullable, std::move(replacement));
}

Result<BoundExpressionPtr> CallBinder::Call(std::string_view name,
                                            std::vector<BoundExpressionPtr> arguments) const {
  CallRequest request;
  request.name = name;
  request.lambdas.resize(arguments.size());
  request.arguments = std::move(arguments);
  request.origin = request_.origin;
  return ResolveCall(request, context_, bind_lambda_);
}

BoundExpressionPtr CallBinder::Constant(plan::Literal literal) const {
  DataType type = literal.type;
  const bool nullable = literal.is_null();
  return MakeBound(std::move(literal), std::move(type), nullable, request_.origin);
}

Error CallBinder::At(Error error) const { return AtOrigin(std::move(error), request_.origin); }

Error CallBinder::Mismatch(std::string sub_class, Error::Parameters parameters) const {
  parameters.emplace("sqlExpr", QuotedExpression(*Finish(DataType::Null(), true)));
  return At(Error(ErrorClass::DATATYPE_MISMATCH, std::move(parameters), std::move(sub_class)));
}

Error CallBinder::UnexpectedInput(size_t i, const std::string& required) const {
  return Mismatch("UNEXPECTED_INPUT_TYPE", {{"paramIndex", Ordinal(i)},
                                            {"requiredType", required},
                                            {"inputSql", QuotedExpression(*arguments_[i])},
                                            {"inputType", QuotedType(type(i))}});
}

Error CallBinder::NonFoldable(size_t i, const std::string& input_name) const {
  return Mismatch("NON_FOLDABLE_INPUT", {{"inputName", QuotedIdentifier(input_name)},
                                         {"inputType", QuotedType(type(i))},
                                         {"inputExpr", QuotedExpression(*arguments_[i])}});
}

}  // namespace merganser
