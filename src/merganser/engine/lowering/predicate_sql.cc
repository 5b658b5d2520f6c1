#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/evaluation_order.h"
#include "merganser/engine/lowering/nested_order.h"
#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/resolve.h"

/// Comparisons, logic, conditions and LIKE: the engine's own operators, so that filters reach the
/// scan.
namespace merganser {
namespace {

/// <, <=, > and >=.
Result<std::string> LowerInequality(const LoweredCall& call) {
  return fmt::format("({} {} {})", OrderKeySql(call.arguments[0], call.type(0)), call.call.function,
                     OrderKeySql(call.arguments[1], call.type(1)));
}

/// greatest and least, which leave out NULL.
Result<std::string> LowerExtreme(const LoweredCall& call) {
  const bool greatest = call.call.function == "greatest";
  if (!NeedsOrderKey(call.type()))
    return FillCallPattern(greatest ? "greatest({*})" : "least({*})", call);
  const std::string sorted =
      SortedListSql(FillCallPattern("[{*}]", call), call.type(),
                    greatest ? ListOrder::kDescendingNullsLast : ListOrder::kAscendingNullsLast);
  return fmt::format("list_extract({}, 1)", sorted);
}

/// IS NULL and IS NOT NULL. Spark knows the answer for a constant that is never NULL, so that the
/// constant's own failure does not come up.
Result<std::string> LowerNullTest(const LoweredCall& call) {
  const bool is_null = call.call.function == "isnull";
  const BoundExpression& operand = *call.call.arguments[0];
  std::vector<ColumnId> columns;
  CollectColumns(operand, columns);
  if (!operand.nullable && columns.empty() && !ContainsSubquery(operand))
    return is_null ? "false" : "true";
  return fmt::format("({} IS {}NULL)", call.arguments[0], is_null ? "" : "NOT ");
}

Result<std::string> LowerCase(const LoweredCall& call) {
  std::string sql = "CASE";
  for (size_t i = 0; i + 1 < call.arguments.size(); i += 2) {
    sql += fmt::format(" WHEN {} THEN {}", call.arguments[i], call.arguments[i + 1]);
  }
  if (call.arguments.size() % 2 == 1) sql += " ELSE " + call.arguments.back();
  return CastSql(sql + " END", EngineType(call.type()));
}

/// LIKE and ILIKE. A pattern without escapes is left to the engine's optimizer, which turns it into
/// a prefix search.
Result<std::string> LowerLike(const LoweredCall& call) {
  const char* op = call.call.function == "like" ? "LIKE" : "ILIKE";
  const auto pattern = FoldLiteral(*call.call.arguments[1]);
  const auto escape =
      call.arguments.size() == 3 ? FoldLiteral(*call.call.arguments[2]) : std::nullopt;
  const std::string character = escape ? std::get<std::string>(escape->value) : "\\";
  const bool plain = pattern && !pattern->is_null() &&
                     std::get<std::string>(pattern->value).find(character) == std::string::npos;
  if (plain) return fmt::format("({} {} {})", call.arguments[0], op, call.arguments[1]);
  return fmt::format("mg_{}({}, {}, {}, {})", call.call.function, call.arguments[0],
                     call.arguments[1], QuoteText(character), call.error_context());
}

constexpr CallLowering kPredicateLowerings[] = {
    {.name = "=", .sql = "=({0} = {1})"},
    {.name = "==", .sql = "=({0} = {1})"},
    {.name = "<>", .sql = "=({0} <> {1})"},
    {.name = "!=", .sql = "=({0} <> {1})"},
    {.name = "<", .lower = &LowerInequality},
    {.name = "<=", .lower = &LowerInequality},
    {.name = ">", .lower = &LowerInequality},
    {.name = ">=", .lower = &LowerInequality},
    {.name = "<=>", .sql = "=({0} IS NOT DISTINCT FROM {1})"},
    {.name = "not", .sql = "=(NOT {0})"},
    {.name = "!", .sql = "=(NOT {0})"},
    {.name = "isnull", .lower = &LowerNullTest},
    {.name = "isnotnull", .lower = &LowerNullTest},
    {.name = "in", .lower = &LowerInList},
    {.name = "isnan", .sql = "=coalesce(isnan({0}), false)"},

    {.name = "when", .lower = &LowerCase},
    {.name = "case", .lower = &LowerCase},
    {.name = "if", .sql = "CASE WHEN {0} THEN {1} ELSE {2} END"},
    {.name = "coalesce", .sql = "coalesce({*})"},
    {.name = "greatest", .lower = &LowerExtreme},
    {.name = "least", .lower = &LowerExtreme},
    {.name = "nanvl", .sql = "CASE WHEN isnan({0}) THEN {1} ELSE {0} END"},

    {.name = "like", .lower = &LowerLike},
    {.name = "ilike", .lower = &LowerLike},
    {.name = "rlike", .sql = "mg_rlike({0}, {1}, {context})"},
    {.name = "regexp", .sql = "mg_rlike({0}, {1}, {context})"},
    {.name = "regexp_like", .sql = "mg_rlike({0}, {1}, {context})"},
    {.name = "regexp_count", .sql = "mg_regexp_count({0}, {1}, {context})"},
    {.name = "regexp_extract", .sql = "mg_regexp_extract({0}, {1}, {2}, {context})"},
    {.name = "regexp_extract_all", .sql = "mg_regexp_extract_all({0}, {1}, {2}, {context})"},
    {.name = "regexp_instr", .sql = "mg_regexp_instr({0}, {1}, {context})"},
    {.name = "regexp_replace", .sql = "mg_regexp_replace({0}, {1}, {2}, {3}, {context})"},
    {.name = "regexp_substr", .sql = "mg_regexp_substr({0}, {1}, {context})"},
};

}  // namespace

std::span<const CallLowering> PredicateLowerings() { return kPredicateLowerings; }

}  // namespace merganser
