#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

DataType NamedType(std::string_view name) {
  if (name == "boolean") return DataType::Boolean();
  if (name == "tinyint") return DataType::Byte();
  if (name == "smallint") return DataType::Short();
  if (name == "int") return DataType::Integer();
  if (name == "bigint") return DataType::Long();
  if (name == "float") return DataType::Float();
  if (name == "double") return DataType::Double();
  if (name == "decimal") return DataType::Decimal(10, 0);
  if (name == "binary") return DataType::Binary();
  if (name == "date") return DataType::Date();
  if (name == "timestamp") return DataType::Timestamp();
  return DataType::String();
}

/// `int(x)` is CAST(x AS INT), but its name in results is that of `x`.
Result<BoundExpressionPtr> ResolveCastFunction(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  MERGANSER_ASSIGN_OR_RETURN(auto bound, ResolveCast(call.argument(0), NamedType(call.entry().name),
                                                     false, call.context(), call.request().origin));
  BoundCast cast = *bound->As<BoundCast>();
  cast.implicit = true;
  return MakeBound(std::move(cast), bound->type, bound->nullable, bound->origin);
}

std::string PrintAlias(const BoundCall&, const std::vector<std::string>& arguments) {
  return arguments[0] + " AS " + arguments[1];
}

constexpr FunctionEntry kConversionFunctions[] = {
    {.name = "boolean", .resolve = &ResolveCastFunction},
    {.name = "tinyint", .resolve = &ResolveCastFunction},
    {.name = "smallint", .resolve = &ResolveCastFunction},
    {.name = "int", .resolve = &ResolveCastFunction},
    {.name = "bigint", .resolve = &ResolveCastFunction},
    {.name = "float", .resolve = &ResolveCastFunction},
    {.name = "double", .resolve = &ResolveCastFunction},
    {.name = "decimal", .resolve = &ResolveCastFunction},
    {.name = "string", .resolve = &ResolveCastFunction},
    {.name = "binary", .resolve = &ResolveCastFunction},
    {.name = "date", .resolve = &ResolveCastFunction},
    {.name = "timestamp", .resolve = &ResolveCastFunction},
    {.name = "typeof", .signature = "any -> string!"},
    {.name = "alias", .signature = "any, string -> $0", .print = &PrintAlias, .internal = true},
};

}  // namespace

std::span<const FunctionEntry> ConversionFunctions() { return kConversionFunctions; }

BoundExpressionPtr NamedArgument(BoundExpressionPtr child, std::string name) {
  const DataType type = child->type;
  const bool nullable = child->nullable;
  const plan::Origin origin = child->origin;
  auto label = MakeBound(plan::Literal{DataType::String(), std::move(name)}, DataType::String(),
                         false, origin);
  BoundCall call{"alias", {std::move(child), std::move(label)}, false, nullptr};
  return MakeBound(std::move(call), type, nullable, origin);
}

}  // namespace merganser
