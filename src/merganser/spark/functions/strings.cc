#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

/// Strings and anything that turns into one; binaries if all are; arrays if all are.
Result<BoundExpressionPtr> ResolveConcat(CallBinder& call) {
  bool binaries = call.size() > 0;
  bool arrays = false;
  for (const auto& argument : call.arguments()) {
    binaries = binaries && argument->type.is(TypeId::kBinary);
    arrays = arrays || argument->type.is(TypeId::kArray);
  }
  if (arrays) {
    std::string types;
    for (const auto& argument : call.arguments())
      types += (types.empty() ? "(" : " or ") + QuotedType(argument->type);
    const auto common = call.CastToCommonType();
    if (!common)
      return call.Mismatch("DATA_DIFF_TYPES",
                           {{"functionName", "`concat`"}, {"dataType", types + ")"}});
    return call.Finish(*common);
  }
  return call.ApplyAndFinish(binaries ? "binary... -> binary" : "string... -> string");
}

/// lpad and rpad: spaces pad strings, zero bytes binaries.
Result<BoundExpressionPtr> ResolvePad(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 3));
  const bool binary =
      call.type(0).is(TypeId::kBinary) && (call.size() == 2 || call.type(2).is(TypeId::kBinary));
  if (!binary) return call.ApplyAndFinish("string, int, string = ' ' -> string");
  if (call.size() == 2) {
    call.arguments().push_back(
        call.Constant(plan::Literal{DataType::Binary(), std::string(1, '\0')}));
  }
  return call.ApplyAndFinish("binary, int, binary -> binary");
}

/// trim, ltrim and rtrim: `(characters, string)` when two arguments are given.
Result<BoundExpressionPtr> ResolveTrim(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  return call.ApplyAndFinish(call.size() == 2 ? "string, string -> string" : "string -> string");
}

std::string PrintTrim(const BoundCall& call, const std::vector<std::string>& arguments) {
  if (arguments.size() == 1) return call.function + "(" + arguments[0] + ")";
  const char* side =
      call.function == "trim" ? "BOTH" : (call.function == "ltrim" ? "LEADING" : "TRAILING");
  return std::string("TRIM(") + side + " " + arguments[0] + " FROM " + arguments[1] + ")";
}

Result<BoundExpressionPtr> ResolveLeft(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string|binary, int -> $0"));
  auto one = call.Constant(plan::Literal{DataType::Integer(), int64_t{1}});
  MERGANSER_ASSIGN_OR_RETURN(
      auto part, call.Call("substring", {call.argument(0), std::move(one), call.argument(1)}));
  return call.Replace(std::move(part));
}

/// elt(n, s1, s2, ...): all binary or all strings.
Result<BoundExpressionPtr> ResolveElt(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  bool binaries = true;
  for (size_t i = 1; i < call.size(); ++i) binaries = binaries && call.type(i).is(TypeId::kBinary);
  return call.ApplyAndFinish(binaries ? "int, binary... -> binary?" : "int, string... -> string?");
}

/// decode(binary, charset), or decode(x, value, result, ..., otherwise): a CASE in which NULL
/// equals NULL.
Result<BoundExpressionPtr> ResolveDecode(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, SIZE_MAX));
  if (call.size() == 2) return call.ApplyAndFinish("binary, string -> string");
  std::vector<BoundExpressionPtr> branches;
  for (size_t i = 1; i + 1 < call.size(); i += 2) {
    MERGANSER_ASSIGN_OR_RETURN(auto equal, call.Call("<=>", {call.argument(0), call.argument(i)}));
    branches.push_back(std::move(equal));
    branches.push_back(call.argument(i + 1));
  }
  branches.push_back(call.size() % 2 == 0 ? call.arguments().back()
                                          : call.Constant(plan::Literal{}));
  MERGANSER_ASSIGN_OR_RETURN(auto choice, call.Call("when", std::move(branches)));
  return call.Replace(std::move(choice));
}

Result<BoundExpressionPtr> ResolveReverse(CallBinder& call) {
  return call.ApplyAndFinish("string|binary|array -> $0");
}

constexpr std::string_view kText = "string -> string";
constexpr std::string_view kLength = "string|binary -> int";
constexpr std::string_view kSearch = "string|binary, string|binary -> boolean";
constexpr std::string_view kSubstring = "string|binary, int, int = 2147483647 -> $0";
constexpr std::string_view kFormat = "string, any... -> string";

constexpr FunctionEntry kStringsFunctions[] = {
    {.name = "ascii", .signature = "string -> int"},
    {.name = "base64", .signature = "binary -> string"},
    {.name = "bit_length", .signature = kLength},
    {.name = "btrim", .signature = "string, string? -> string"},
    {.name = "char", .signature = "bigint -> string"},
    {.name = "char_length", .signature = kLength},
    {.name = "character_length", .signature = kLength},
    {.name = "chr", .signature = "bigint -> string"},
    {.name = "concat", .resolve = &ResolveConcat},
    {.name = "||", .resolve = &ResolveConcat, .printed = "concat({*})"},
    {.name = "concat_ws", .signature = "string, string|array<string>... -> string"},
    {.name = "contains", .signature = kSearch},
    {.name = "decode", .resolve = &ResolveDecode},
    {.name = "elt", .resolve = &ResolveElt},
    {.name = "encode", .signature = "string, string -> binary?"},
    {.name = "endswith", .signature = kSearch},
    {.name = "find_in_set", .signature = "string, string -> int"},
    {.name = "format_string", .signature = kFormat},
    {.name = "initcap", .signature = kText},
    {.name = "instr", .signature = "string, string -> int"},
    {.name = "is_valid_utf8", .signature = "string|binary -> boolean?"},
    {.name = "lcase", .signature = kText},
    {.name = "left", .resolve = &ResolveLeft},
    {.name = "len", .signature = kLength},
    {.name = "length", .signature = kLength},
    {.name = "levenshtein", .signature = "string, string, int? -> int"},
    {.name = "locate", .signature = "string, string, int = 1 -> int"},
    {.name = "lower", .signature = kText},
    {.name = "lpad", .resolve = &ResolvePad},
    {.name = "ltrim", .resolve = &ResolveTrim, .print = &PrintTrim},
    {.name = "luhn_check", .signature = "string -> boolean?"},
    {.name = "make_valid_utf8", .signature = "string|binary -> string?"},
    {.name = "mask",
     .signature =
         "str: string, upperChar: string = 'X', lowerChar: string = 'x', digitChar: string = 'n', "
         "otherChar: string = null -> string?",
     .exact = true},
    {.name = "octet_length", .signature = kLength},
    {.name = "overlay", .signature = "string|binary, string|binary, int, int = -1 -> $0"},
    {.name = "parse_url", .signature = "string, string, string? -> string?", .exact = true},
    {.name = "position", .signature = "string, string, int = 1 -> int"},
    {.name = "printf", .signature = kFormat},
    {.name = "quote", .signature = "string -> string?"},
    {.name = "repeat", .signature = "string, int -> string"},
    {.name = "replace", .signature = "string, string, string = '' -> string"},
    {.name = "reverse", .resolve = &ResolveReverse},
    {.name = "right", .signature = "string|binary, int -> $0?"},
    {.name = "rpad", .resolve = &ResolvePad},
    {.name = "rtrim", .resolve = &ResolveTrim, .print = &PrintTrim},
    {.name = "sentences", .signature = "string, string = '', string = '' -> array<array<string>>?"},
    {.name = "soundex", .signature = kText, .exact = true},
    {.name = "space", .signature = "int -> string"},
    {.name = "split", .signature = "string, string, int = -1 -> array<string>"},
    {.name = "split_part", .signature = "string, string, int -> string?"},
    {.name = "startswith", .signature = kSearch},
    {.name = "substr", .signature = kSubstring},
    {.name = "substring", .signature = kSubstring},
    {.name = "substring_index", .signature = "string, string, int -> string"},
    {.name = "translate", .signature = "string, string, string -> string"},
    {.name = "trim", .resolve = &ResolveTrim, .print = &PrintTrim},
    {.name = "try_parse_url", .signature = "string, string, string? -> string?", .exact = true},
    {.name = "try_url_decode", .signature = "string -> string?"},
    {.name = "try_validate_utf8", .signature = "string|binary -> string?"},
    {.name = "ucase", .signature = kText},
    {.name = "unbase64", .signature = "string -> binary"},
    {.name = "upper", .signature = kText},
    {.name = "url_decode", .signature = "string -> string?"},
    {.name = "url_encode", .signature = "string -> string?"},
    {.name = "validate_utf8", .signature = "string|binary -> string?"},
};

}  // namespace

std::span<const FunctionEntry> StringFunctions() { return kStringsFunctions; }

}  // namespace merganser
