#include <fmt/format.h>

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// LIKE, regular expressions and their kin.
namespace merganser {
namespace {

/// like and ilike: the escape character, if given, is a constant of one character.
Result<BoundExpressionPtr> ResolveLike(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string, string? -> boolean"));
  if (call.size() == 3) {
    const auto escape = call.ConstantString(2);
    if (!escape || escape->size() != 1) {
      return call.At(Error(ErrorClass::INVALID_ESCAPE_CHAR,
                           {{"sqlExpr", QuotedExpression(*call.argument(2))}}));
    }
  }
  return call.Finish(DataType::Boolean(), call.argument(0)->nullable || call.argument(1)->nullable);
}

std::string PrintLike(const BoundCall& call, const std::vector<std::string>& arguments) {
  if (call.function == "ilike") return fmt::format("ilike({}, {})", arguments[0], arguments[1]);
  const std::string text = fmt::format("{} LIKE {}", arguments[0], arguments[1]);
  return arguments.size() == 3 ? fmt::format("{} ESCAPE '{}'", text, arguments[2]) : text;
}

/// LIKE ANY and its siblings: one LIKE a pattern, joined by OR or AND.
Result<BoundExpressionPtr> ResolveQuantifiedLike(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string, string... -> boolean"));
  std::string_view name = call.entry().name;
  const bool negated = name.starts_with("not_");
  if (negated) name.remove_prefix(4);
  const bool any = name.ends_with("_any");
  BoundExpressionPtr all;
  for (size_t i = 1; i < call.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(auto match, call.Call(name.substr(0, name.find('_')),
                                                     {call.argument(0), call.argument(i)}));
    if (negated) {
      MERGANSER_ASSIGN_OR_RETURN(match, call.Call("not", {std::move(match)}));
    }
    if (all) {
      MERGANSER_ASSIGN_OR_RETURN(match,
                                 call.Call(any ? "or" : "and", {std::move(all), std::move(match)}));
    }
    all = std::move(match);
  }
  // Spark joins LIKEs itself where a pattern is no text, and that is what its names show.
  for (size_t i = 1; i < call.size(); ++i) {
    if (!call.ConstantString(i)) return all;
  }
  return call.Replace(std::move(all));
}

std::string PrintQuantifiedLike(const BoundCall& call, const std::vector<std::string>& arguments) {
  std::string_view name = call.function;
  std::string text;
  if (name.starts_with("not_")) {
    text = "not";
    name.remove_prefix(4);
  }
  const bool fold_case = name.starts_with("ilike");
  if (fold_case) name.remove_prefix(1);
  text += name.ends_with("_any") ? "likeany" : "likeall";
  return fmt::format("{}({})", text, fold_case ? "lower(" + arguments[0] + ")" : arguments[0]);
}

constexpr std::string_view kMatch = "string, string -> boolean";

constexpr FunctionEntry kPatternsFunctions[] = {
    {.name = "like", .resolve = &ResolveLike, .print = &PrintLike},
    {.name = "ilike", .resolve = &ResolveLike, .print = &PrintLike},
    {.name = "like_any",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "like_all",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "not_like_any",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "not_like_all",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "ilike_any",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "ilike_all",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "not_ilike_any",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "not_ilike_all",
     .resolve = &ResolveQuantifiedLike,
     .print = &PrintQuantifiedLike,
     .internal = true},
    {.name = "rlike", .signature = kMatch, .printed = "RLIKE"},
    {.name = "regexp", .signature = kMatch, .printed = "REGEXP"},
    {.name = "regexp_like", .signature = kMatch, .printed = "REGEXP_LIKE"},
    {.name = "regexp_count", .signature = "string, string -> int"},
    {.name = "regexp_extract", .signature = "string, string, int = 1 -> string"},
    {.name = "regexp_extract_all", .signature = "string, string, int = 1 -> array<string>"},
    {.name = "regexp_instr", .signature = "string, string, int = 0 -> int"},
    {.name = "regexp_replace", .signature = "string, string, string, int = 1 -> string"},
    {.name = "regexp_substr", .signature = "string, string -> string?"},
};

}  // namespace

std::span<const FunctionEntry> PatternFunctions() { return kPatternsFunctions; }

}  // namespace merganser
