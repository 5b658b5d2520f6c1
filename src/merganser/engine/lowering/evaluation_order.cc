#include "merganser/engine/lowering/evaluation_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/null_constant.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

// Functions that give a value or NULL for all arguments, each between spaces.
constexpr std::string_view kNeverFail =
    " ! != < <= <=> <> = == > >= and array array_contains ascii bit_length btrim case ceil"
    " char_length coalesce concat concat_ws contains date_add date_sub datediff day dayofmonth"
    " dayofweek dayofyear endswith floor greatest hash hour if in initcap instr isnan isnotnull"
    " isnull last_day least left length like locate lower ltrim minute month named_struct nanvl"
    " not octet_length or position quarter replace reverse right rtrim second sha1 sha2 size"
    " startswith struct substr substring trim trunc upper weekday weekofyear when xxhash64 year ";

// Arithmetic whose result is NULL in ANSI mode only for a NULL argument, each between spaces.
constexpr std::string_view kNullOnlyOfNull = " != % * + - / < <= <> = == > >= div ";

/// Guards repeat what stands before; past this many bytes an operand goes without, lest nested ones
/// double the text with each level.
constexpr size_t kLongestGuard = 1 << 16;

/// A call that would have to look at more values than these for NULL goes without.
constexpr size_t kMostTests = 8;

bool Holds(std::string_view names, const std::string& name) {
  return names.find(" " + name + " ") != std::string_view::npos;
}

/// Sums and products that are too wide for no decimal type, and those of floating-point numbers.
bool IsClosedArithmetic(const BoundCall& call, const DataType& type) {
  if (!Holds(" + - * ", call.function)) return false;
  if (type.is(TypeId::kDecimal)) return type.precision() < 38;
  return type.is_floating();
}

bool CastCanFail(const DataType& from, const DataType& to) {
  if (to.is_string() || (from.is_numeric() && (to.is_floating() || to.is(TypeId::kBoolean))) ||
      (from.is(TypeId::kBoolean) && (to.is_integral() || to.is_floating())))
    return false;
  return !CanStoreAssign(from, to, StoreAssignmentPolicy::kStrict);
}

/// What can go wrong in an expression.
struct Hazard {
  bool reads_columns = false;
  bool can_fail = false;
  bool row_can_fail = false;  ///< Leaving out what reads no column.
};

Hazard HazardOf(const BoundExpression& expression, bool ansi) {
  Hazard hazard;
  const auto take = [&](const BoundExpression& part) {
    const Hazard other = HazardOf(part, ansi);
    hazard.reads_columns |= other.reads_columns;
    hazard.can_fail |= other.can_fail;
    hazard.row_can_fail |= other.row_can_fail;
  };
  bool fails_itself = false;
  if (const auto* cast = expression.As<BoundCast>()) {
    take(*cast->child);
    fails_itself = cast->mode == CastMode::kAnsi && CastCanFail(cast->child->type, expression.type);
  } else if (const auto* field = expression.As<BoundField>()) {
    take(*field->child);
  } else if (const auto* lambda = expression.As<BoundLambda>()) {
    take(*lambda->body);
  } else if (const auto* call = expression.As<BoundCall>()) {
    if (IsNullConstant(expression)) return hazard;
    if (call->replacement != nullptr) return HazardOf(*call->replacement, ansi);
    for (const auto& argument : call->arguments) take(*argument);
    fails_itself =
        !Holds(kNeverFail, call->function) && !IsClosedArithmetic(*call, expression.type);
  } else {
    hazard.reads_columns = expression.As<plan::Literal>() == nullptr;
  }
  hazard.can_fail |= fails_itself;
  hazard.row_can_fail |= fails_itself && hazard.reads_columns;
  return hazard;
}

bool RowCanFail(const BoundExpression& expression, bool ansi) {
  return HazardOf(expression, ansi).row_can_fail;
}

/// Can the expression stand in more places than one?
bool CanRepeat(const BoundExpression& expression) {
  return IsDeterministic(expression) && !ContainsSubquery(expression);
}

/// Is the expression of few nodes, so that it may be computed twice?
bool IsSmall(const BoundExpression& expression, int& nodes) {
  if (--nodes < 0) return false;
  if (const auto* cast = expression.As<BoundCast>()) return IsSmall(*cast->child, nodes);
  if (const auto* field = expression.As<BoundField>()) return IsSmall(*field->child, nodes);
  if (const auto* call = expression.As<BoundCall>()) {
    return std::ranges::all_of(call->arguments,
                               [&](const auto& argument) { return IsSmall(*argument, nodes); });
  }
  return true;
}

/// Expressions of which one is NULL where `expression` is; columns rather than what is made of
/// them, which would be computed twice. Large ones are left out.
void CollectNullSources(const BoundExpression& expression, bool ansi,
                        std::vector<const BoundExpression*>& sources) {
  if (!expression.nullable) return;
  if (const auto* cast = expression.As<BoundCast>(); cast && cast->mode == CastMode::kAnsi)
    return CollectNullSources(*cast->child, ansi, sources);
  const auto* call = expression.As<BoundCall>();
  if (call != nullptr && call->replacement == nullptr && ansi &&
      Holds(kNullOnlyOfNull, call->function)) {
    for (const auto& argument : call->arguments) CollectNullSources(*argument, ansi, sources);
    return;
  }
  int nodes = 12;
  if (IsSmall(expression, nodes)) sources.push_back(&expression);
}

void Flatten(const BoundExpression& expression, std::string_view function,
             std::vector<const BoundExpression*>& operands) {
  const auto* call = expression.As<BoundCall>();
  if (call == nullptr || call->function != function || call->replacement != nullptr) {
    operands.push_back(&expression);
    return;
  }
  for (const auto& argument : call->arguments) Flatten(*argument, function, operands);
}

std::string Join(const std::vector<std::string>& parts, std::string_view word) {
  return fmt::format("({})", fmt::join(parts, fmt::format(" {} ", word)));
}

/// An operand in a place of its own, or one of those that wait for what is written before them.
struct Operand {
  std::string sql;
  bool waits;
};

/// Does some join have columns of `left` on one side only, and those of `right` on the other?
bool AreOfTwoSides(const BoundExpression& left, const BoundExpression& right,
                   const std::vector<std::vector<BoundColumn>>& sides) {
  std::vector<ColumnId> left_ids;
  std::vector<ColumnId> right_ids;
  CollectColumns(left, left_ids);
  CollectColumns(right, right_ids);
  if (left_ids.empty() || right_ids.empty()) return false;
  return std::ranges::any_of(sides, [&](const std::vector<BoundColumn>& side) {
    const auto inside = [&](ColumnId id) {
      return std::ranges::find(side, id, &BoundColumn::id) != side.end();
    };
    return (std::ranges::all_of(left_ids, inside) && std::ranges::none_of(right_ids, inside)) ||
           (std::ranges::all_of(right_ids, inside) && std::ranges::none_of(left_ids, inside));
  });
}

bool IsJoinKey(const BoundExpression& conjunct,
               const std::vector<std::vector<BoundColumn>>& sides) {
  const auto* call = conjunct.As<BoundCall>();
  return call != nullptr && Holds(" = == <=> ", call->function) &&
         AreOfTwoSides(*call->arguments[0], *call->arguments[1], sides);
}

/// Which relations of the joins an expression is about: for each, on which side of which join it
/// is. The engine computes a condition as soon as it has those.
using Place = std::set<std::vector<bool>>;

Place PlaceOf(const BoundExpression& expression,
              const std::vector<std::vector<BoundColumn>>& sides) {
  std::vector<ColumnId> ids;
  CollectColumns(expression, ids);
  Place place;
  for (const ColumnId id : ids) {
    std::vector<bool> relation;
    for (const auto& side : sides)
      relation.push_back(std::ranges::find(side, id, &BoundColumn::id) != side.end());
    place.insert(std::move(relation));
  }
  return place;
}

bool IsWithin(const Place& inner, const Place& outer) {
  return std::ranges::includes(outer, inner);
}

struct Conjunct {
  std::string sql;
  Place place;
  bool repeats;
  bool waits;
};

/// Conjuncts of one place that can fail, each computed where what comes before it is true.
class Waiting {
 public:
  void Precede(const std::string& sql) { before_.push_back(sql); }
  void Wait(const std::string& sql) {
    if (!before_.empty()) {
      cases_ += fmt::format("CASE WHEN {} THEN ", Join(before_, "AND"));
      ++depth_;
    }
    before_ = {sql};
    last_ = sql;
  }
  std::string Sql() && {
    cases_ += last_;
    for (size_t i = 0; i < depth_; ++i) cases_ += " ELSE false END";
    return std::move(cases_);
  }

 private:
  std::vector<std::string> before_;  // Of the next one, and in no CASE yet.
  std::string cases_;
  std::string last_;
  size_t depth_ = 0;
};

}  // namespace

bool CanFail(const BoundExpression& expression, bool ansi) {
  return HazardOf(expression, ansi).can_fail;
}

Result<std::string> LowerLogic(const BoundExpression& expression, bool is_and,
                               ExpressionLowering& lowering) {
  std::vector<const BoundExpression*> operands;
  Flatten(expression, is_and ? "and" : "or", operands);
  std::vector<Operand> lowered;
  bool guarded = false;  // Is there anything before an operand that it could wait for?
  for (const BoundExpression* operand : operands) {
    MERGANSER_ASSIGN_OR_RETURN(std::string sql, lowering.Lower(*operand));
    const bool repeats = CanRepeat(*operand);
    lowered.push_back(
        {std::move(sql), guarded && repeats && CanFail(*operand, lowering.context().ansi)});
    guarded = guarded || repeats;
  }
  std::vector<std::string> alone;
  std::vector<std::string> waiting;
  std::string cases;
  size_t seen = 0;  // Operands that the cases have already.
  for (size_t i = 0; i < lowered.size(); ++i) {
    if (!lowered[i].waits) {
      alone.push_back(lowered[i].sql);
      continue;
    }
    for (; seen < i; ++seen) {
      if (!CanRepeat(*operands[seen])) continue;
      cases += is_and ? fmt::format(" WHEN NOT ({}) THEN false", lowered[seen].sql)
                      : fmt::format(" WHEN {} THEN true", lowered[seen].sql);
    }
    waiting.push_back(lowered[i].sql);
  }
  const std::string word = is_and ? "AND" : "OR";
  if (cases.size() > kLongestGuard) {
    alone.insert(alone.end(), waiting.begin(), waiting.end());
  } else if (!waiting.empty()) {
    alone.push_back(fmt::format("CASE{} ELSE {} END", cases, Join(waiting, word)));
  }
  return Join(alone, word);
}

Result<std::string> LowerInList(const LoweredCall& call) {
  const auto& items = call.call.arguments;
  const std::string plain =
      fmt::format("({} IN ({}))", call.arguments[0],
                  fmt::join(call.arguments.begin() + 1, call.arguments.end(), ", "));
  if (!CanRepeat(call.expression)) return plain;
  size_t first = 1;
  while (first < items.size() && !RowCanFail(*items[first], call.context().ansi)) ++first;
  if (first == items.size()) return plain;
  std::string cases =
      items[0]->nullable ? fmt::format(" WHEN {} IS NULL THEN NULL", call.arguments[0]) : "";
  for (size_t i = 1; i + 1 < items.size(); ++i)
    cases += fmt::format(" WHEN {} = {} THEN true", call.arguments[0], call.arguments[i]);
  if (cases.empty()) return plain;
  return fmt::format("(CASE{} ELSE {} END)", cases, plain);
}

Result<std::string> GuardArguments(const BoundCall& call, std::string sql,
                                   ExpressionLowering& lowering) {
  if (call.arguments.size() < 2 || !IsNullIntolerant(call.function)) return sql;
  const bool ansi = lowering.context().ansi;
  size_t last = call.arguments.size() - 1;
  while (last > 0 && !RowCanFail(*call.arguments[last], ansi)) --last;
  if (last == 0) return sql;
  if (!std::ranges::all_of(call.arguments, [](const auto& a) { return CanRepeat(*a); })) return sql;
  std::vector<const BoundExpression*> sources;
  for (size_t i = 0; i < last; ++i) CollectNullSources(*call.arguments[i], ansi, sources);
  std::vector<std::string> tests;
  for (const BoundExpression* source : sources) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string value, lowering.Lower(*source));
    std::string test = value + " IS NULL";
    if (std::ranges::find(tests, test) == tests.end()) tests.push_back(std::move(test));
  }
  if (tests.empty() || tests.size() > kMostTests) return sql;
  return fmt::format("(CASE WHEN {} THEN NULL ELSE {} END)", fmt::join(tests, " OR "), sql);
}

Result<std::string> LowerRowCondition(const BoundExpression& condition,
                                      const std::vector<std::vector<BoundColumn>>& sides,
                                      const LoweringContext& context) {
  std::vector<const BoundExpression*> conjuncts;
  Flatten(condition, "and", conjuncts);
  ExpressionLowering lowering(context);
  std::vector<Conjunct> lowered;
  for (const BoundExpression* part : conjuncts) {
    const bool is_key = IsJoinKey(*part, sides);
    MERGANSER_ASSIGN_OR_RETURN(
        std::string sql,
        is_key ? lowering.LowerUnguarded(*part->As<BoundCall>(), *part) : lowering.Lower(*part));
    Conjunct conjunct{std::move(sql), PlaceOf(*part, sides), CanRepeat(*part), false};
    conjunct.waits = !is_key && conjunct.repeats && RowCanFail(*part, context.ansi) &&
                     std::ranges::any_of(lowered, [&](const Conjunct& other) {
                       return other.repeats && IsWithin(other.place, conjunct.place);
                     });
    lowered.push_back(std::move(conjunct));
  }
  std::vector<std::string> parts;
  std::map<Place, Waiting> chains;
  for (const Conjunct& conjunct : lowered) {
    if (conjunct.waits) {
      chains[conjunct.place];
    } else {
      parts.push_back(conjunct.sql);
    }
  }
  for (auto& [place, waiting] : chains) {
    for (const Conjunct& conjunct : lowered) {
      if (conjunct.waits && conjunct.place == place) {
        waiting.Wait(conjunct.sql);
      } else if (!conjunct.waits && conjunct.repeats && IsWithin(conjunct.place, place)) {
        waiting.Precede(conjunct.sql);
      }
    }
    parts.push_back(std::move(waiting).Sql());
  }
  return Join(parts, "AND");
}

}  // namespace merganser
