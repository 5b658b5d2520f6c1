#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

std::string TypeList(const std::vector<DataType>& types, const char* open, const char* separator,
                     const char* close) {
  std::string text = open;
  for (size_t i = 0; i < types.size(); ++i)
    text += (i == 0 ? "" : separator) + QuotedType(types[i]);
  return text + close;
}

/// Positions of the values of CASE: 1, 3, ... and ELSE, the last one of an odd number of arguments.
std::vector<size_t> CaseValues(size_t arguments) {
  std::vector<size_t> positions;
  for (size_t i = 1; i < arguments; i += 2) positions.push_back(i);
  if (arguments % 2 == 1) positions.push_back(arguments - 1);
  return positions;
}

Result<BoundExpressionPtr> ResolveCase(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  const std::vector<size_t> values = CaseValues(call.size());
  for (size_t i = 0; i + 1 < call.size(); i += 2) {
    if (call.type(i).is(TypeId::kNull)) call.Cast(i, DataType::Boolean());
  }
  std::vector<DataType> types;
  for (const size_t i : values) types.push_back(call.type(i));
  const auto common = FindWiderType(types, call.context());
  if (!common) {
    return call.Mismatch("DATA_DIFF_TYPES", {{"functionName", "`casewhen`"},
                                             {"dataType", TypeList(types, "[", ", ", "]")}});
  }
  bool nullable = call.size() % 2 == 0;
  for (const size_t i : values) {
    call.Cast(i, *common);
    nullable = nullable || call.argument(i)->nullable;
  }
  for (size_t i = 0; i + 1 < call.size(); i += 2) {
    if (!call.type(i).is(TypeId::kBoolean)) return call.UnexpectedInput(i, "\"BOOLEAN\"");
  }
  return call.Finish(*common, nullable);
}

Result<BoundExpressionPtr> ResolveIf(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  if (call.type(0).is(TypeId::kNull)) call.Cast(0, DataType::Boolean());
  if (!call.type(0).is(TypeId::kBoolean)) return call.UnexpectedInput(0, "\"BOOLEAN\"");
  const auto common = call.CastToCommonType(1);
  if (!common) {
    return call.Mismatch("DATA_DIFF_TYPES",
                         {{"functionName", "`if`"},
                          {"dataType", TypeList({call.type(1), call.type(2)}, "[", ", ", "]")}});
  }
  return call.Finish(*common, call.argument(1)->nullable || call.argument(2)->nullable);
}

Result<BoundExpressionPtr> ResolveCoalesce(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, SIZE_MAX));
  const auto common = call.CastToCommonType();
  if (!common) {
    std::vector<DataType> types;
    for (const auto& argument : call.arguments()) types.push_back(argument->type);
    return call.Mismatch("DATA_DIFF_TYPES", {{"functionName", QuotedIdentifier(call.entry().name)},
                                             {"dataType", TypeList(types, "(", " or ", ")")}});
  }
  bool nullable = true;
  for (const auto& argument : call.arguments()) nullable = nullable && argument->nullable;
  return call.Finish(*common, nullable);
}

/// nvl and ifnull.
Result<BoundExpressionPtr> ResolveIfNull(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_ASSIGN_OR_RETURN(auto coalesce, call.Call("coalesce", call.arguments()));
  return call.Replace(std::move(coalesce));
}

Result<BoundExpressionPtr> ResolveNvl2(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(3, 3));
  MERGANSER_ASSIGN_OR_RETURN(auto condition, call.Call("isnotnull", {call.argument(0)}));
  MERGANSER_ASSIGN_OR_RETURN(
      auto choice, call.Call("if", {std::move(condition), call.argument(1), call.argument(2)}));
  return call.Replace(std::move(choice));
}

Result<BoundExpressionPtr> ResolveNullIf(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_ASSIGN_OR_RETURN(auto equal, call.Call("=", {call.argument(0), call.argument(1)}));
  MERGANSER_ASSIGN_OR_RETURN(
      auto choice,
      call.Call("if", {std::move(equal), call.Constant(plan::Literal{call.type(0), {}}),
                       call.argument(0)}));
  return call.Replace(std::move(choice));
}

Result<BoundExpressionPtr> ResolveNullIfZero(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  auto zero = call.Constant(plan::Literal{DataType::Integer(), int64_t{0}});
  MERGANSER_ASSIGN_OR_RETURN(auto equal, call.Call("=", {call.argument(0), std::move(zero)}));
  MERGANSER_ASSIGN_OR_RETURN(
      auto choice,
      call.Call("if", {std::move(equal), call.Constant(plan::Literal{}), call.argument(0)}));
  return call.Replace(std::move(choice));
}

Result<BoundExpressionPtr> ResolveZeroIfNull(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  auto zero = call.Constant(plan::Literal{DataType::Integer(), int64_t{0}});
  MERGANSER_ASSIGN_OR_RETURN(auto coalesce,
                             call.Call("coalesce", {call.argument(0), std::move(zero)}));
  return call.Replace(std::move(coalesce));
}

/// greatest and least, which never read strings as numbers.
Result<BoundExpressionPtr> ResolveExtremeOfRow(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  std::vector<DataType> types;
  bool strings = false;
  bool others = false;
  for (const auto& argument : call.arguments()) {
    types.push_back(argument->type);
    strings = strings || argument->type.is_string();
    others = others || (!argument->type.is_string() && !argument->type.is(TypeId::kNull));
  }
  std::optional<DataType> common;
  if (!strings || !others) common = call.CastToCommonType();
  if (!common) {
    return call.Mismatch("DATA_DIFF_TYPES", {{"functionName", QuotedIdentifier(call.entry().name)},
                                             {"dataType", TypeList(types, "[", ", ", "]")}});
  }
  if (!IsOrderable(*common)) {
    return call.Mismatch(
        "INVALID_ORDERING_TYPE",
        {{"functionName", QuotedIdentifier(call.entry().name)}, {"dataType", QuotedType(*common)}});
  }
  bool nullable = true;
  for (const auto& argument : call.arguments()) nullable = nullable && argument->nullable;
  return call.Finish(*common, nullable);
}

Result<BoundExpressionPtr> ResolveNanvl(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  MERGANSER_RETURN_IF_ERROR(call.Apply("double|float, double|float -> double"));
  const bool doubles = call.type(0).is(TypeId::kDouble) || call.type(1).is(TypeId::kDouble);
  const DataType type = doubles ? DataType::Double() : DataType::Float();
  call.Cast(0, type);
  call.Cast(1, type);
  return call.Finish(type);
}

std::string PrintCase(const BoundCall&, const std::vector<std::string>& arguments) {
  std::string text = "CASE";
  for (size_t i = 0; i + 1 < arguments.size(); i += 2) {
    text += fmt::format(" WHEN {} THEN {}", arguments[i], arguments[i + 1]);
  }
  if (arguments.size() % 2 == 1) text += " ELSE " + arguments.back();
  return text + " END";
}

constexpr FunctionEntry kConditionalFunctions[] = {
    {.name = "when", .resolve = &ResolveCase, .print = &PrintCase},
    {.name = "case", .resolve = &ResolveCase, .print = &PrintCase},
    {.name = "if", .resolve = &ResolveIf, .printed = "(IF({0}, {1}, {2}))"},
    {.name = "coalesce", .resolve = &ResolveCoalesce},
    {.name = "nvl", .resolve = &ResolveIfNull},
    {.name = "ifnull", .resolve = &ResolveIfNull},
    {.name = "nvl2", .resolve = &ResolveNvl2},
    {.name = "nullif", .resolve = &ResolveNullIf},
    {.name = "nullifzero", .resolve = &ResolveNullIfZero},
    {.name = "zeroifnull", .resolve = &ResolveZeroIfNull},
    {.name = "greatest", .resolve = &ResolveExtremeOfRow},
    {.name = "least", .resolve = &ResolveExtremeOfRow},
    {.name = "nanvl", .resolve = &ResolveNanvl},
};

}  // namespace

std::span<const FunctionEntry> ConditionalFunctions() { return kConditionalFunctions; }

}  // namespace merganser
