#include "merganser/base/json.h"

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// JSON and CSV text.
namespace merganser {
namespace {

/// The pairs of a `map('key', 'value', ...)` of constants as JSON text; nullopt if the argument is
/// anything else.
std::optional<std::string> OptionsOf(const BoundExpression& expression) {
  const auto* call = expression.As<BoundCall>();
  if (call == nullptr || call->function != "map") return std::nullopt;
  Json options = Json::MakeObject();
  for (size_t i = 0; i + 1 < call->arguments.size(); i += 2) {
    const auto key = FoldLiteral(*call->arguments[i]);
    const auto value = FoldLiteral(*call->arguments[i + 1]);
    if (!key || !value || !std::holds_alternative<std::string>(key->value) ||
        !std::holds_alternative<std::string>(value->value)) {
      return std::nullopt;
    }
    options.Set(std::get<std::string>(key->value), std::get<std::string>(value->value));
  }
  return options.Dump();
}

/// Replace the options argument at `i`, if there is one, by its JSON text; add empty options
/// otherwise.
Status FoldOptions(CallBinder& call, size_t i) {
  std::string options = "{}";
  if (call.size() > i) {
    auto folded = OptionsOf(*call.argument(i));
    if (!folded) {
      return call.At(Error(ErrorClass::INVALID_OPTIONS, {{"mapType", QuotedType(call.type(i))}},
                           call.type(i).is(TypeId::kMap) ? "NON_STRING_TYPE" : "NON_MAP_FUNCTION"));
    }
    options = *std::move(folded);
    call.arguments().pop_back();
  }
  call.arguments().push_back(call.Constant(plan::Literal{DataType::String(), std::move(options)}));
  return Status::Ok();
}

/// from_json and from_csv: (text, schema [, options]). The arguments become text and options; the
/// schema is the type.
Result<BoundExpressionPtr> ResolveReadText(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  MERGANSER_RETURN_IF_ERROR(FoldOptions(call, 2));
  const auto schema = call.ConstantString(1);
  if (!schema || !call.context().parse_type) {
    return call.At(Error(ErrorClass::INVALID_SCHEMA,
                         {{"inputSchema", QuotedExpression(*call.argument(1))}},
                         "NON_STRING_LITERAL"));
  }
  MERGANSER_ASSIGN_OR_RETURN(const DataType type, call.context().parse_type(*schema));
  call.arguments().erase(call.arguments().begin() + 1);
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string -> string"));
  const bool csv = call.entry().name == "from_csv";
  const bool readable = csv ? type.is(TypeId::kStruct)
                            : type.is(TypeId::kStruct) || type.is(TypeId::kArray) ||
                                  type.is(TypeId::kMap) || type.is(TypeId::kVariant);
  if (!readable)
    return call.Mismatch(csv ? "NON_STRUCT_TYPE" : "INVALID_JSON_SCHEMA",
                         {{"schema", QuotedType(type)}});
  return call.Finish(type.AsNullable(), true);
}

Result<BoundExpressionPtr> ResolveToJson(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  MERGANSER_RETURN_IF_ERROR(FoldOptions(call, 1));
  const DataType& type = call.type(0);
  const bool writable = type.is(TypeId::kStruct) || type.is(TypeId::kArray) ||
                        type.is(TypeId::kMap) || type.is(TypeId::kVariant);
  if (!writable) return call.Mismatch("INVALID_JSON_SCHEMA", {{"schema", QuotedType(type)}});
  return call.Finish(DataType::String(), true);
}

Result<BoundExpressionPtr> ResolveToCsv(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  MERGANSER_RETURN_IF_ERROR(FoldOptions(call, 1));
  if (!call.type(0).is(TypeId::kStruct)) {
    return call.Mismatch("UNSUPPORTED_INPUT_TYPE",
                         {{"functionName", "`to_csv`"}, {"dataType", QuotedType(call.type(0))}});
  }
  return call.Finish(DataType::String(), true);
}

/// schema_of_json and schema_of_csv: of a constant.
Result<BoundExpressionPtr> ResolveSchemaOf(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  MERGANSER_RETURN_IF_ERROR(FoldOptions(call, 1));
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string -> string"));
  const auto text = call.Constant(0);
  const std::string input = call.entry().name == "schema_of_csv" ? "csv" : "json";
  if (!text) return call.NonFoldable(0, input);
  if (text->is_null()) return call.Mismatch("UNEXPECTED_NULL", {{"exprName", input}});
  return call.Finish(DataType::String(), false);
}

Result<BoundExpressionPtr> ResolveAvro(CallBinder& call) {
  std::string name(call.entry().name);
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return call.At(
      Error(ErrorClass::AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE, {{"functionName", name}}));
}

// Names show neither schemas nor options.
constexpr FunctionEntry kJsonFunctions[] = {
    {.name = "from_csv", .resolve = &ResolveReadText, .printed = "from_csv({0})", .exact = true},
    {.name = "from_json", .resolve = &ResolveReadText, .printed = "from_json({0})", .exact = true},
    {.name = "get_json_object", .signature = "string, string -> string?", .exact = true},
    {.name = "json_array_length", .signature = "string -> int?", .exact = true},
    {.name = "json_object_keys", .signature = "string -> array<string>?", .exact = true},
    {.name = "schema_of_csv",
     .resolve = &ResolveSchemaOf,
     .printed = "schema_of_csv({0})",
     .exact = true},
    {.name = "schema_of_json", .resolve = &ResolveSchemaOf, .printed = "schema_of_json({0})"},
    {.name = "to_csv", .resolve = &ResolveToCsv, .printed = "to_csv({0})"},
    {.name = "to_json", .resolve = &ResolveToJson, .printed = "to_json({0})"},

    {.name = "from_avro", .resolve = &ResolveAvro, .refused = true},
    {.name = "schema_of_avro", .resolve = &ResolveAvro, .refused = true},
    {.name = "to_avro", .resolve = &ResolveAvro, .refused = true},
};

}  // namespace

std::span<const FunctionEntry> JsonFunctions() { return kJsonFunctions; }

}  // namespace merganser
