#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/registry.h"

/// Values to text by a format, and back.
namespace merganser {
namespace {

/// The decimal that text of a number format may hold: a digit for each 0 and 9.
DataType FormatDecimal(const std::string& format) {
  int digits = 0;
  int scale = 0;
  bool fraction = false;
  for (const char c : format) {
    if (c == '.' || c == 'D' || c == 'd') fraction = true;
    if (c != '0' && c != '9') continue;
    ++digits;
    if (fraction) ++scale;
  }
  return BoundedDecimal(digits, scale);
}

/// to_number and try_to_number.
Result<BoundExpressionPtr> ResolveToNumber(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string -> string"));
  const auto format = call.Constant(1);
  if (!format) return call.NonFoldable(1, "format");
  if (format->is_null()) return call.Finish(DataType::Decimal(38, 18), true);
  return call.Finish(FormatDecimal(std::get<std::string>(format->value)), true);
}

/// to_char and to_varchar of binaries: hex, base64 or a character set.
Result<BoundExpressionPtr> ResolveBinaryToChar(CallBinder& call) {
  const auto format = call.ConstantString(1);
  if (!format) return call.NonFoldable(1, "format");
  const bool own_name = call.entry().name == "to_varchar";
  const std::string name = AsciiLowerCase(*format);
  if (name == "hex" || name == "base64") {
    MERGANSER_ASSIGN_OR_RETURN(auto text, call.Call(name, {call.argument(0)}));
    if (!own_name) return text;
    call.arguments().pop_back();
    return call.Replace(std::move(text));
  }
  if (name != "utf-8") {
    return call.At(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                         {{"functionName", "`" + std::string(call.entry().name) + "`"},
                          {"parameter", "`format`"},
                          {"invalidFormat", "'" + *format + "'"}},
                         "BINARY_FORMAT"));
  }
  MERGANSER_ASSIGN_OR_RETURN(auto text, call.Call("decode", call.arguments()));
  return own_name ? call.Replace(std::move(text)) : text;
}

Result<BoundExpressionPtr> ResolveToChar(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(2, 2));
  switch (call.type(0).id()) {
    case TypeId::kDate:
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return call.Call("date_format", call.arguments());
    case TypeId::kBinary:
      return ResolveBinaryToChar(call);
    default:
      break;
  }
  if (call.entry().name == "to_varchar") return call.Call("to_char", call.arguments());
  MERGANSER_RETURN_IF_ERROR(call.Apply("decimal, string -> string"));
  if (!call.Constant(1)) return call.NonFoldable(1, "format");
  return call.Finish(DataType::String());
}

/// to_binary and try_to_binary.
Result<BoundExpressionPtr> ResolveToBinary(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string? -> binary"));
  if (call.size() == 2) {
    const auto format = call.Constant(1);
    if (!format) return call.NonFoldable(1, "fmt");
    if (!format->is_null()) {
      const std::string name = AsciiLowerCase(std::get<std::string>(format->value));
      if (name != "hex" && name != "utf-8" && name != "utf8" && name != "base64") {
        return call.Mismatch("INVALID_ARG_VALUE",
                             {{"inputName", "`fmt`"},
                              {"requireType", "case-insensitive \"STRING\""},
                              {"validValues", "'hex', 'utf-8', 'utf8', or 'base64'"},
                              {"inputValue", "'" + name + "'"}});
      }
    }
  }
  return call.Finish(DataType::Binary(), true);
}

constexpr FunctionEntry kFormatsFunctions[] = {
    {.name = "format_number", .signature = "numeric, int|string -> string?", .exact = true},
    {.name = "to_binary", .resolve = &ResolveToBinary},
    {.name = "to_char", .resolve = &ResolveToChar},
    {.name = "to_number", .resolve = &ResolveToNumber},
    {.name = "to_varchar", .resolve = &ResolveToChar},
    {.name = "try_to_binary", .resolve = &ResolveToBinary},
    {.name = "try_to_number", .resolve = &ResolveToNumber},
};

}  // namespace

std::span<const FunctionEntry> FormatFunctions() { return kFormatsFunctions; }

}  // namespace merganser
