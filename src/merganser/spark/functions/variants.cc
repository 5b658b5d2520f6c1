#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

/// variant_get and try_variant_get: (variant, path [, type]). The arguments become variant and
/// path; without a type the part stays a VARIANT.
Result<BoundExpressionPtr> ResolveVariantGet(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  DataType type = DataType::Variant();
  if (!call.type(1).is_string() && !call.type(1).is(TypeId::kNull))
    return call.UnexpectedInput(1, "\"STRING\"");
  if (call.size() == 3) {
    const auto name = call.ConstantString(2);
    if (!name || !call.context().parse_type) {
      return call.At(Error(ErrorClass::INVALID_SCHEMA,
                           {{"inputSchema", QuotedExpression(*call.argument(2))}},
                           "NON_STRING_LITERAL"));
    }
    MERGANSER_ASSIGN_OR_RETURN(type, call.context().parse_type(*name));
    call.arguments().pop_back();
  }
  MERGANSER_RETURN_IF_ERROR(call.Apply("variant, string -> variant"));
  if (!CanAnsiCast(DataType::Variant(), type)) {
    return call.Mismatch("CAST_WITHOUT_SUGGESTION",
                         {{"srcType", "\"VARIANT\""}, {"targetType", QuotedType(type)}});
  }
  return call.Finish(type, true);
}

/// to_variant_object: structs, maps with string keys and arrays, at any depth.
Result<BoundExpressionPtr> ResolveToVariantObject(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  const DataType& type = call.type(0);
  if (!type.is_nested() && !type.is(TypeId::kNull)) {
    return call.Mismatch("CAST_WITHOUT_SUGGESTION",
                         {{"srcType", QuotedType(type)}, {"targetType", "\"VARIANT\""}});
  }
  return call.Finish(DataType::Variant());
}

constexpr FunctionEntry kVariantsFunctions[] = {
    {.name = "is_valid_variant", .signature = "variant -> boolean"},
    {.name = "is_variant_null", .signature = "variant -> boolean!"},
    {.name = "parse_json", .signature = "string -> variant", .exact = true},
    {.name = "schema_of_variant", .signature = "variant -> string"},
    {.name = "to_variant_object", .resolve = &ResolveToVariantObject},
    {.name = "try_parse_json", .signature = "string -> variant?", .exact = true},
    {.name = "try_variant_get", .resolve = &ResolveVariantGet},
    {.name = "variant_get", .resolve = &ResolveVariantGet},
};

}  // namespace

std::span<const FunctionEntry> VariantFunctions() { return kVariantsFunctions; }

}  // namespace merganser
