#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

Error UnknownFunction(const CallRequest& request, const TypingContext& context) {
  const std::string path = fmt::format("[`system`.`builtin`, `system`.`session`, {}.{}]",
                                       QuotedIdentifier(context.current_catalog),
                                       QuotedIdentifier(context.current_schema));
  return AtOrigin(Error(ErrorClass::UNRESOLVED_ROUTINE,
                        {{"routineName", QuotedIdentifier(request.name)}, {"searchPath", path}}),
                  request.origin);
}

/// Only signatures that name their parameters take arguments by name.
Status CheckNames(const FunctionEntry& entry, const CallRequest& request) {
  const bool named = std::ranges::any_of(request.argument_names,
                                         [](const std::string& name) { return !name.empty(); });
  // Generators apply theirs themselves, but for the two that take any number of arguments.
  const bool generator =
      entry.kind == FunctionKind::kGenerator && entry.name != "stack" && entry.name != "json_tuple";
  const bool names = generator || entry.signature.find(':') != std::string_view::npos;
  if (!named || names) return Status::Ok();
  return AtOrigin(Error(ErrorClass::NAMED_PARAMETERS_NOT_SUPPORTED,
                        {{"functionName", QuotedIdentifier(entry.name)}}),
                  request.origin);
}

/// DISTINCT, FILTER and IGNORE NULLS belong to aggregates (the last one to offset functions too),
/// WITHIN GROUP to those whose result depends on an order.
Status CheckModifiers(const FunctionEntry& entry, const CallRequest& request) {
  constexpr std::array<std::string_view, 5> kOrdered = {"listagg", "mode", "percentile_cont",
                                                        "percentile_disc", "string_agg"};
  const bool aggregate = entry.kind == FunctionKind::kAggregate;
  const char* modifier = nullptr;
  if (request.distinct && !aggregate) modifier = "DISTINCT";
  if (request.filter && !aggregate) modifier = "FILTER clause";
  if (!request.within_group.empty() && std::ranges::find(kOrdered, entry.name) == kOrdered.end())
    modifier = "WITHIN GROUP (ORDER BY ...)";
  if (request.ignore_nulls && !aggregate && entry.kind != FunctionKind::kWindow)
    modifier = "IGNORE NULLS";
  if (modifier == nullptr) return Status::Ok();
  return AtOrigin(Error(ErrorClass::INVALID_SQL_SYNTAX,
                        {{"prettyName", QuotedIdentifier(entry.name)},
                         {"funcName", QuotedIdentifier(entry.name)},
                         {"syntax", modifier}},
                        "FUNCTION_WITH_UNSUPPORTED_SYNTAX"),
                  request.origin);
}

Status CheckLambdas(const FunctionEntry& entry, const CallRequest& request) {
  const auto is_lambda = [](const plan::Lambda* lambda) { return lambda != nullptr; };
  if (std::none_of(request.lambdas.begin(), request.lambdas.end(), is_lambda)) return Status::Ok();
  const auto family = HigherOrderFunctions();
  const bool accepts = &entry >= family.data() && &entry < family.data() + family.size();
  // Collections come before lambdas in all of these functions.
  if (accepts && !is_lambda(request.lambdas.front())) return Status::Ok();
  return AtOrigin(Error(ErrorClass::INVALID_LAMBDA_FUNCTION_CALL,
                        {{"class", std::string(entry.name)}}, "NON_HIGHER_ORDER_FUNCTION"),
                  request.origin);
}

}  // namespace

std::optional<FunctionKind> FindFunction(std::string_view name) {
  const FunctionEntry* entry = FindEntry(name, true);
  if (entry == nullptr) return std::nullopt;
  return entry->kind;
}

Result<BoundExpressionPtr> ResolveCall(const CallRequest& request, const TypingContext& context,
                                       const LambdaBinder& bind_lambda) {
  const FunctionEntry* entry = FindEntry(request.name, true);
  if (entry == nullptr) return UnknownFunction(request, context);
  MERGANSER_RETURN_IF_ERROR(CheckNames(*entry, request));
  MERGANSER_RETURN_IF_ERROR(CheckModifiers(*entry, request));
  MERGANSER_RETURN_IF_ERROR(CheckLambdas(*entry, request));
  CallBinder call(*entry, request, context, bind_lambda);
  if (entry->resolve != nullptr) return entry->resolve(call);
  return call.ApplyAndFinish(entry->signature);
}

}  // namespace merganser
