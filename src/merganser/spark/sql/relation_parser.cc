#include "merganser/spark/sql/relation_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/function_parser.h"
#include "merganser/spark/sql/inline_table_parser.h"
#include "merganser/spark/sql/literal_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/pivot_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/query_parser.h"

namespace merganser {
namespace {

using plan::RelationPtr;

/// Spark's name for a subquery without one, which hides the names inside of it.
constexpr std::string_view kUnnamedSubquery = "__auto_generated_subquery_name";

Result<RelationPtr> ParseAliased(TokenStream& in, RelationPtr relation) {
  MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
  return WithAlias(std::move(relation), std::move(alias.name), std::move(alias.columns));
}

/// A query or a relation in parentheses.
Result<RelationPtr> ParseParenthesizedRelation(TokenStream& in);

Result<RelationPtr> ParseTableFunction(TokenStream& in, std::vector<std::string> name,
                                       size_t first) {
  plan::TableFunction function;
  function.name = std::move(name);
  in.Next();
  MERGANSER_RETURN_IF_ERROR(ParseArguments(in, function.arguments, function.argument_names));
  return ParseAliased(in, plan::MakeRelation(std::move(function), in.OriginFrom(first)));
}

Result<RelationPtr> ParseNamedRelation(TokenStream& in) {
  const size_t first = in.position();
  if (!in.PeekIdentifier() && !in.PeekWord("IDENTIFIER")) return in.SyntaxError();
  plan::TableReference table;
  MERGANSER_ASSIGN_OR_RETURN(table.name, ParseName(in));
  if (in.PeekSymbol("(") && table.name.identifier == nullptr) {
    return ParseTableFunction(in, std::move(table.name.parts), first);
  }
  MERGANSER_ASSIGN_OR_RETURN(table.time_travel, ParseTimeTravel(in));
  if (in.PeekWord("WITH") && in.PeekSymbol("(", 1)) {
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(table.options, ParseProperties(in));
  }
  MERGANSER_ASSIGN_OR_RETURN(
      RelationPtr relation,
      ParseSample(in, plan::MakeRelation(std::move(table), in.OriginFrom(first))));
  return ParseAliased(in, std::move(relation));
}

/// Is the relation at the cursor one that may refer to the relations before it?
bool PeekLateralRelation(const TokenStream& in) {
  if (in.PeekSymbol("(")) return in.PeekParenthesizedQuery();
  size_t ahead = 0;
  while (in.PeekIdentifier(ahead) && in.PeekSymbol(".", ahead + 1)) ahead += 2;
  return in.PeekIdentifier(ahead) && in.PeekSymbol("(", ahead + 1);
}

Result<RelationPtr> ParseRelationPrimary(TokenStream& in, bool lateral) {
  if (lateral && !PeekLateralRelation(in)) {
    return in.ErrorFrom(in.position(), Error(ErrorClass::INVALID_SQL_SYNTAX, {},
                                             "LATERAL_WITHOUT_SUBQUERY_OR_TABLE_VALUED_FUNC"));
  }
  if (in.PeekSymbol("(")) return ParseParenthesizedRelation(in);
  if (in.PeekWord("VALUES") && in.PeekQuery()) return ParseInlineTable(in);
  return ParseNamedRelation(in);
}

/// A relation with its joins, pivots and unpivots. Joined to `before` (null if it is the first).
Result<RelationPtr> ParseRelation(TokenStream& in, RelationPtr before, size_t first) {
  const TreeHeight height(in);
  const bool lateral = in.PeekWord("LATERAL") && in.AcceptWord("LATERAL");
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr relation, ParseRelationPrimary(in, lateral));
  if (before != nullptr || lateral) {
    plan::Join join;
    join.left = before != nullptr ? std::move(before)
                                  : plan::MakeRelation(plan::OneRow{}, relation->origin);
    join.right = std::move(relation);
    join.lateral = lateral;
    relation = plan::MakeRelation(std::move(join), in.OriginFrom(first));
  }
  while (true) {
    RelationPtr extended;
    if (PeekPivot(in)) {
      MERGANSER_ASSIGN_OR_RETURN(extended, ParsePivot(in, relation, first));
    } else if (PeekUnpivot(in)) {
      MERGANSER_ASSIGN_OR_RETURN(extended, ParseUnpivot(in, relation, first));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(extended, ParseJoin(in, relation, first));
    }
    if (extended == nullptr) return relation;
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
    relation = std::move(extended);
  }
}

Result<RelationPtr> ParseParenthesizedRelation(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  const bool is_query = in.PeekParenthesizedQuery();
  in.Next();
  RelationPtr inner;
  if (is_query) {
    MERGANSER_ASSIGN_OR_RETURN(inner, ParseQuery(in));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(inner, ParseRelation(in, nullptr, in.position()));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  MERGANSER_ASSIGN_OR_RETURN(inner, ParseSample(in, std::move(inner)));
  MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
  if (is_query && alias.name.empty()) alias.name = kUnnamedSubquery;
  return WithAlias(std::move(inner), std::move(alias.name), std::move(alias.columns));
}

/// The join type at the cursor, the word JOIN included; nullopt if there is none.
std::optional<plan::JoinType> ParseJoinType(TokenStream& in) {
  struct Spelling {
    std::string_view first;
    std::string_view second;
    plan::JoinType type;
  };
  static constexpr Spelling kSpellings[] = {
      {"LEFT", "OUTER", plan::JoinType::kLeft},    {"LEFT", "SEMI", plan::JoinType::kLeftSemi},
      {"LEFT", "ANTI", plan::JoinType::kLeftAnti}, {"LEFT", "", plan::JoinType::kLeft},
      {"RIGHT", "OUTER", plan::JoinType::kRight},  {"RIGHT", "", plan::JoinType::kRight},
      {"FULL", "OUTER", plan::JoinType::kFull},    {"FULL", "", plan::JoinType::kFull},
      {"SEMI", "", plan::JoinType::kLeftSemi},     {"ANTI", "", plan::JoinType::kLeftAnti},
      {"CROSS", "", plan::JoinType::kCross},       {"INNER", "", plan::JoinType::kInner},
  };
  for (const Spelling& spelling : kSpellings) {
    const size_t words = spelling.second.empty() ? 1 : 2;
    const bool matches =
        in.PeekWord(spelling.first) && (words == 1 || in.PeekWord(spelling.second, 1));
    if (!matches || !in.PeekWord("JOIN", words)) continue;
    for (size_t i = 0; i <= words; ++i) in.Next();
    return spelling.type;
  }
  if (in.AcceptWord("JOIN")) return plan::JoinType::kInner;
  return std::nullopt;
}

Status CheckLateralJoin(const TokenStream& in, const plan::Join& join) {
  if (!join.lateral) return Status::Ok();
  if (!join.using_columns.empty()) {
    return in.ErrorFrom(in.position(),
                        Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "LATERAL_JOIN_USING"));
  }
  std::string_view name;
  switch (join.type) {
    case plan::JoinType::kRight:
      name = "RIGHT OUTER";
      break;
    case plan::JoinType::kFull:
      name = "FULL OUTER";
      break;
    case plan::JoinType::kLeftSemi:
      name = "LEFT SEMI";
      break;
    case plan::JoinType::kLeftAnti:
      name = "LEFT ANTI";
      break;
    default:
      return Status::Ok();
  }
  return in.ErrorFrom(in.position(), Error(ErrorClass::INVALID_LATERAL_JOIN_TYPE,
                                           {{"joinType", std::string(name)}}));
}

/// `percentage PERCENT`, `expression ROWS`, `BUCKET x OUT OF y`.
Result<RelationPtr> ParseSampleMethod(TokenStream& in, RelationPtr relation, size_t first) {
  plan::Sample sample;
  if (in.PeekWord("BUCKET") && in.Peek(1).is(TokenKind::kInteger)) {
    in.Next();
    const double numerator = std::stod(std::string(in.Next().text));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWords("OUT", "OF"));
    if (!in.Peek().is(TokenKind::kInteger)) return in.SyntaxError();
    sample.upper = numerator / std::stod(std::string(in.Next().text));
    if (in.PeekWord("ON")) {
      return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0015,
                                       {{"msg", "BUCKET x OUT OF y ON colname"}}));
    }
  } else {
    const size_t sign = in.PeekSymbol("-") ? 1 : 0;
    const bool percent =
        in.PeekWord("PERCENT", sign + 1) &&
        (in.Peek(sign).is(TokenKind::kInteger) || in.Peek(sign).is(TokenKind::kDecimal));
    if (!percent) {
      plan::Limit rows;
      MERGANSER_ASSIGN_OR_RETURN(rows.limit, ParseExpression(in));
      if (!in.AcceptWord("ROWS")) {
        return in.ErrorFrom(
            first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0015, {{"msg", "byteLengthLiteral"}}));
      }
      rows.child = std::move(relation);
      return plan::MakeRelation(std::move(rows), in.OriginFrom(first));
    }
    if (sign > 0) in.Next();
    sample.upper = std::stod(std::string(in.Next().text)) / (sign > 0 ? -100 : 100);
    in.Next();
  }
  if (!(sample.upper >= 0 && sample.upper <= 1)) {
    return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0064,
                                     {{"msg", "Sampling fraction (" + std::to_string(sample.upper) +
                                                  ") must be on interval [0, 1]"}}));
  }
  sample.child = std::move(relation);
  return plan::MakeRelation(std::move(sample), in.OriginFrom(first));
}

/// `table [AS] column, ...` behind the generator of a LATERAL VIEW.
Status ParseLateralViewNames(TokenStream& in, plan::LateralView& view) {
  // Spark takes the AS of `explode(a) AS x` for the table's name.
  if (in.PeekWord("AS")) {
    view.table = std::string(in.Next().text);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
    if (alias.name.empty() || !alias.columns.empty()) return in.SyntaxError();
    view.table = std::move(alias.name);
    const bool named = in.AcceptWord("AS") || (in.PeekIdentifier() && in.PeekSymbol(",", 1));
    if (!named) {
      MERGANSER_ASSIGN_OR_RETURN(TableAlias column, ParseTableAlias(in));
      if (!column.name.empty()) view.columns.push_back(std::move(column.name));
      return Status::Ok();
    }
  }
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::string column, ParseIdentifier(in));
    view.columns.push_back(std::move(column));
  } while (in.AcceptSymbol(","));
  return Status::Ok();
}

}  // namespace

RelationPtr WithAlias(RelationPtr relation, std::string name, std::vector<std::string> columns) {
  if (name.empty()) return relation;
  const plan::Origin origin = relation->origin;
  return plan::MakeRelation(
      plan::SubqueryAlias{std::move(relation), std::move(name), std::move(columns)}, origin);
}

Result<RelationPtr> ParseFromClause(TokenStream& in) {
  const TreeHeight height(in);
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("FROM"));
  const size_t first = in.position();
  RelationPtr from;
  do {
    MERGANSER_ASSIGN_OR_RETURN(from, ParseRelation(in, std::move(from), first));
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  } while (in.AcceptSymbol(","));
  MERGANSER_ASSIGN_OR_RETURN(from, ParseLateralViews(in, std::move(from)));
  if (PeekPivot(in)) {
    MERGANSER_ASSIGN_OR_RETURN(from, ParsePivot(in, std::move(from), first));
  }
  if (PeekUnpivot(in)) {
    MERGANSER_ASSIGN_OR_RETURN(from, ParseUnpivot(in, std::move(from), first));
  }
  return from;
}

Result<RelationPtr> ParseLateralViews(TokenStream& in, RelationPtr relation) {
  const TreeHeight height(in);
  while (in.PeekWords("LATERAL", "VIEW")) {
    const size_t first = in.position();
    in.Next();
    in.Next();
    plan::LateralView view;
    view.child = std::move(relation);
    view.outer = in.PeekWord("OUTER") && !in.PeekSymbol("(", 1) && in.AcceptWord("OUTER");
    const size_t call_at = in.position();
    plan::Call generator;
    do {
      MERGANSER_ASSIGN_OR_RETURN(std::string part, ParseIdentifier(in));
      generator.name.push_back(std::move(part));
    } while (in.AcceptSymbol("."));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
    if (!in.PeekSymbol(")")) {
      MERGANSER_ASSIGN_OR_RETURN(generator.arguments, ParseExpressions(in));
    }
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
    view.generator = plan::MakeExpression(std::move(generator), in.OriginFrom(call_at));
    MERGANSER_RETURN_IF_ERROR(ParseLateralViewNames(in, view));
    relation = plan::MakeRelation(std::move(view), in.OriginFrom(first));
    MERGANSER_RETURN_IF_ERROR(height.AddLevel());
  }
  return relation;
}

Result<RelationPtr> ParseJoin(TokenStream& in, const RelationPtr& relation, size_t first) {
  plan::Join join;
  const size_t start = in.position();
  join.natural = in.AcceptWord("NATURAL");
  const auto type = ParseJoinType(in);
  if (!type) {
    if (join.natural || in.PeekAnyWord({"LEFT", "RIGHT", "FULL", "INNER", "CROSS"}))
      return in.SyntaxErrorAt(start + 1);
    return RelationPtr();
  }
  join.type = *type;
  join.left = relation;
  join.lateral = in.AcceptWord("LATERAL");
  MERGANSER_ASSIGN_OR_RETURN(join.right, ParseRelationPrimary(in, join.lateral));
  if (!join.natural && in.AcceptWord("ON")) {
    MERGANSER_ASSIGN_OR_RETURN(join.condition, ParseExpression(in));
  } else if (!join.natural && in.AcceptWord("USING")) {
    MERGANSER_ASSIGN_OR_RETURN(join.using_columns, ParseIdentifierList(in));
  }
  MERGANSER_RETURN_IF_ERROR(CheckLateralJoin(in, join));
  return plan::MakeRelation(std::move(join), in.OriginFrom(first));
}

Result<RelationPtr> ParseSample(TokenStream& in, RelationPtr relation) {
  const size_t first = in.position();
  const bool here = in.PeekWord("TABLESAMPLE") &&
                    (in.PeekSymbol("(", 1) || in.PeekAnyWord({"BERNOULLI", "SYSTEM"}, 1));
  if (!here) return relation;
  in.Next();
  if (in.AcceptWord("SYSTEM"))
    return in.ErrorFrom(first, Error(ErrorClass::UNSUPPORTED_FEATURE, {}, "TABLESAMPLE_SYSTEM"));
  in.AcceptWord("BERNOULLI");
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  if (in.AcceptSymbol(")")) return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0014));
  MERGANSER_ASSIGN_OR_RETURN(RelationPtr sampled,
                             ParseSampleMethod(in, std::move(relation), first));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  if (!in.PeekWord("REPEATABLE") || !in.PeekSymbol("(", 1)) return sampled;
  in.Next();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(const int64_t seed, ParseInteger(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  const auto* sample = sampled->As<plan::Sample>();
  if (sample == nullptr) return sampled;
  plan::Sample seeded = *sample;
  seeded.seed = seed;
  return plan::MakeRelation(std::move(seeded), sampled->origin);
}

Result<std::optional<plan::TimeTravel>> ParseTimeTravel(TokenStream& in) {
  const size_t skip = in.PeekWord("FOR") ? 1 : 0;
  const bool version = in.PeekAnyWord({"VERSION", "SYSTEM_VERSION"}, skip);
  const bool timestamp = in.PeekAnyWord({"TIMESTAMP", "SYSTEM_TIME"}, skip);
  if ((!version && !timestamp) || !in.PeekWords("AS", "OF", skip + 1))
    return std::optional<plan::TimeTravel>();
  for (size_t i = 0; i < skip + 3; ++i) in.Next();
  plan::TimeTravel travel;
  if (timestamp) {
    MERGANSER_ASSIGN_OR_RETURN(travel.timestamp, ParseValueExpression(in));
  } else {
    if (!in.PeekString() && !in.Peek().is(TokenKind::kInteger)) return in.SyntaxError();
    MERGANSER_ASSIGN_OR_RETURN(travel.version, ParseLiteral(in));
  }
  return std::optional<plan::TimeTravel>(std::move(travel));
}

}  // namespace merganser
