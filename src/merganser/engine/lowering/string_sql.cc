#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Functions of strings and binaries.
namespace merganser {
namespace {

bool IsBinary(const LoweredCall& call) { return call.type(0).is(TypeId::kBinary); }

/// Characters of a string, bytes of a binary.
Result<std::string> LowerLength(const LoweredCall& call) {
  return FillCallPattern(
      IsBinary(call) ? "CAST(octet_length({0}) AS INTEGER)" : "CAST(length({0}) AS INTEGER)", call);
}

Result<std::string> LowerOctetLength(const LoweredCall& call) {
  return FillCallPattern(
      IsBinary(call) ? "CAST(octet_length({0}) AS INTEGER)" : "CAST(strlen({0}) AS INTEGER)", call);
}

Result<std::string> LowerBitLength(const LoweredCall& call) {
  return FillCallPattern(IsBinary(call) ? "CAST(octet_length({0}) * 8 AS INTEGER)"
                                        : "CAST(strlen({0}) * 8 AS INTEGER)",
                         call);
}

/// Strings, binaries and arrays all join by ||, which keeps NULL.
Result<std::string> LowerConcat(const LoweredCall& call) {
  if (call.arguments.empty()) return CastSql("''", EngineType(call.type()));
  std::string sql;
  for (const std::string& argument : call.arguments) sql += (sql.empty() ? "(" : " || ") + argument;
  return CastSql(sql + ")", EngineType(call.type()));
}

/// concat_ws(separator, ...): arrays add their elements, NULL adds nothing.
Result<std::string> LowerConcatWs(const LoweredCall& call) {
  std::string lists;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const std::string& argument = call.arguments[i];
    lists +=
        (i == 1 ? "" : ", ") + (call.type(i).is(TypeId::kArray) ? argument : "[" + argument + "]");
  }
  return fmt::format("mg_concat_ws({}, CAST(flatten(CAST([{}] AS VARCHAR[][])) AS VARCHAR[]))",
                     call.arguments[0], lists);
}

/// contains, startswith and endswith.
Result<std::string> LowerSearch(const LoweredCall& call) {
  const std::string& name = call.call.function;
  if (IsBinary(call)) return FillCallPattern(fmt::format("mg_{}({{0}}, {{1}})", name), call);
  const char* function =
      name == "contains" ? "contains" : (name == "startswith" ? "starts_with" : "ends_with");
  return FillCallPattern(fmt::format("{}({{0}}, {{1}})", function), call);
}

/// trim, ltrim and rtrim: spaces, or the characters that come first.
Result<std::string> LowerTrim(const LoweredCall& call) {
  const std::string& name = call.call.function;
  if (call.arguments.size() == 1) return fmt::format("{}({}, ' ')", name, call.arguments[0]);
  return fmt::format("{}({}, {})", name, call.arguments[1], call.arguments[0]);
}

Result<std::string> LowerBtrim(const LoweredCall& call) {
  if (IsBinary(call)) return FillCallPattern("mg_trim({*})", call);
  return FillCallPattern(call.arguments.size() == 1 ? "trim({0}, ' ')" : "trim({0}, {1})", call);
}

Result<std::string> LowerReverse(const LoweredCall& call) {
  return FillCallPattern(IsBinary(call)                    ? "mg_reverse_bytes({0})"
                         : call.type(0).is(TypeId::kArray) ? "list_reverse({0})"
                                                           : "mg_reverse({0})",
                         call);
}

/// right(x, n): the engine's part function counts from the end for binaries.
Result<std::string> LowerRight(const LoweredCall& call) {
  if (!IsBinary(call)) return FillCallPattern("mg_right({0}, {1})", call);
  return FillCallPattern(
      "CASE WHEN {1} <= 0 THEN from_hex('') ELSE mg_substring({0}, -{1}, 2147483647) END", call);
}

/// parse_url and try_parse_url.
Result<std::string> LowerParseUrl(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 3
                             ? "mg_parse_url_query({0}, {1}, {2}, {mode}, {context})"
                             : "mg_parse_url({0}, {1}, {mode}, {context})",
                         call);
}

Result<std::string> LowerLevenshtein(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 3 ? "mg_levenshtein_threshold({0}, {1}, {2})"
                                                    : "CAST(levenshtein({0}, {1}) AS INTEGER)",
                         call);
}

Result<std::string> LowerToBinary(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 2 ? "mg_to_binary({0}, {1}, {mode}, {context})"
                                                    : "mg_to_binary({0}, 'hex', {mode}, {context})",
                         call);
}

constexpr CallLowering kStringLowerings[] = {
    {.name = "ascii", .sql = "mg_ascii({0})"},
    {.name = "base64", .sql = "mg_base64({0})"},
    {.name = "bit_length", .lower = &LowerBitLength},
    {.name = "btrim", .lower = &LowerBtrim},
    {.name = "char", .sql = "mg_char({0})"},
    {.name = "char_length", .lower = &LowerLength},
    {.name = "character_length", .lower = &LowerLength},
    {.name = "chr", .sql = "mg_char({0})"},
    {.name = "concat", .lower = &LowerConcat},
    {.name = "||", .lower = &LowerConcat},
    {.name = "concat_ws", .lower = &LowerConcatWs},
    {.name = "contains", .lower = &LowerSearch},
    {.name = "decode", .sql = "mg_decode({0}, {1}, {context})"},
    {.name = "elt", .sql = "mg_elt({0}, CAST([{1*}] AS {type}[]), {mode}, {context})"},
    {.name = "encode", .sql = "mg_encode({0}, {1}, {context})"},
    {.name = "endswith", .lower = &LowerSearch},
    {.name = "find_in_set", .sql = "mg_find_in_set({0}, {1})"},
    {.name = "format_number", .sql = "mg_format_number({0}, {1})"},
    {.name = "format_string", .sql = "mg_format_string({*})"},
    {.name = "initcap", .sql = "mg_initcap({0})"},
    {.name = "instr", .sql = "mg_instr({0}, {1})"},
    {.name = "is_valid_utf8", .sql = "mg_is_valid_utf8({0})"},
    {.name = "lcase", .sql = "mg_lower({0})"},
    {.name = "len", .lower = &LowerLength},
    {.name = "length", .lower = &LowerLength},
    {.name = "levenshtein", .lower = &LowerLevenshtein},
    {.name = "locate", .sql = "mg_locate({0}, {1}, {2})"},
    {.name = "lower", .sql = "mg_lower({0})"},
    {.name = "lpad", .sql = "mg_lpad({0}, {1}, {2})"},
    {.name = "ltrim", .lower = &LowerTrim},
    {.name = "luhn_check", .sql = "mg_luhn_check({0})"},
    {.name = "make_valid_utf8", .sql = "mg_make_valid_utf8({0})"},
    {.name = "mask", .sql = "mg_mask({0}, {1}, {2}, {3}, {4})"},
    {.name = "octet_length", .lower = &LowerOctetLength},
    {.name = "overlay", .sql = "mg_overlay({0}, {1}, {2}, {3})"},
    {.name = "parse_url", .lower = &LowerParseUrl},
    {.name = "position", .sql = "mg_locate({0}, {1}, {2})"},
    {.name = "printf", .sql = "mg_format_string({*})"},
    {.name = "quote", .sql = "mg_quote({0})"},
    {.name = "repeat", .sql = "mg_repeat({0}, {1})"},
    {.name = "replace", .sql = "mg_replace({0}, {1}, {2})"},
    {.name = "reverse", .lower = &LowerReverse},
    {.name = "right", .lower = &LowerRight},
    {.name = "rpad", .sql = "mg_rpad({0}, {1}, {2})"},
    {.name = "rtrim", .lower = &LowerTrim},
    {.name = "sentences", .sql = "mg_sentences({0}, {1}, {2})"},
    {.name = "soundex", .sql = "mg_soundex({0})"},
    {.name = "space", .sql = "mg_space({0})"},
    {.name = "split", .sql = "mg_split({0}, {1}, {2}, {context})"},
    {.name = "split_part", .sql = "mg_split_part({0}, {1}, {2}, {context})"},
    {.name = "startswith", .lower = &LowerSearch},
    {.name = "substr", .sql = "mg_substring({0}, {1}, {2})"},
    {.name = "substring", .sql = "mg_substring({0}, {1}, {2})"},
    {.name = "substring_index", .sql = "mg_substring_index({0}, {1}, {2})"},
    {.name = "to_binary", .lower = &LowerToBinary},
    {.name = "to_char", .sql = "mg_to_char({0}, {1}, {context})"},
    {.name = "to_number", .sql = "mg_to_number({0}, {1}, {mode}, {context})"},
    {.name = "translate", .sql = "mg_translate({0}, {1}, {2})"},
    {.name = "trim", .lower = &LowerTrim},
    {.name = "try_parse_url", .lower = &LowerParseUrl},
    {.name = "try_to_binary", .lower = &LowerToBinary},
    {.name = "try_to_number", .sql = "mg_to_number({0}, {1}, {mode}, {context})"},
    {.name = "try_url_decode", .sql = "mg_url_decode({0}, 'try', '')"},
    {.name = "try_validate_utf8", .sql = "mg_validate_utf8({0}, 'try', '')"},
    {.name = "ucase", .sql = "mg_upper({0})"},
    {.name = "unbase64", .sql = "mg_unbase64({0}, {context})"},
    {.name = "upper", .sql = "mg_upper({0})"},
    {.name = "url_decode", .sql = "mg_url_decode({0}, 'ansi', {context})"},
    {.name = "url_encode", .sql = "mg_url_encode({0})"},
    {.name = "validate_utf8", .sql = "mg_validate_utf8({0}, 'ansi', {context})"},
};

}  // namespace

std::span<const CallLowering> StringLowerings() { return kStringLowerings; }

}  // namespace merganser
