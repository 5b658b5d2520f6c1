#include "merganser/spark/sql/inline_table_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/relation_parser.h"

namespace merganser {
namespace {

/// Does a row of VALUES in parentheses end right behind them, rather than go on with an operator?
bool PeekRow(const TokenStream& in) {
  const auto close = in.PeekSymbol("(") ? in.ClosingParenthesis() : std::nullopt;
  if (!close || in.PeekParenthesizedQuery()) return false;
  const size_t after = *close + 1;
  if (in.Peek(after).is(TokenKind::kSymbol)) {
    return in.PeekSymbol(",", after) || in.PeekSymbol(")", after) || in.PeekSymbol(";", after) ||
           in.PeekSymbol("|>", after);
  }
  return !in.PeekAnyWord({"IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "AND", "OR",
                          "DIV", "NOT", "COLLATE"},
                         after);
}

/// The value of a cell, whose name, if it has one, nobody can use.
plan::ExpressionPtr WithoutAlias(const plan::ExpressionPtr& cell) {
  const auto* alias = cell->As<plan::Alias>();
  return alias == nullptr ? cell : alias->child;
}

Result<plan::ExpressionPtr> ParseCell(TokenStream& in, bool default_values) {
  return default_values ? ParseExpressionOrDefault(in) : ParseExpression(in);
}

/// A row that is not written in parentheses.
Result<std::vector<plan::ExpressionPtr>> ParseBareRow(TokenStream& in, bool default_values) {
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr value, ParseCell(in, default_values));
  const auto* call = value->As<plan::Call>();
  const bool is_row = call != nullptr && call->name == std::vector<std::string>{"struct"};
  if (!is_row) return std::vector<plan::ExpressionPtr>{std::move(value)};
  std::vector<plan::ExpressionPtr> row;
  for (const plan::ExpressionPtr& cell : call->arguments) row.push_back(WithoutAlias(cell));
  return row;
}

Result<std::vector<plan::ExpressionPtr>> ParseRow(TokenStream& in, bool default_values) {
  if (!PeekRow(in)) return ParseBareRow(in, default_values);
  in.Next();
  std::vector<plan::ExpressionPtr> row;
  do {
    const size_t cell_at = in.position();
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr cell, ParseCell(in, default_values));
    // Parentheses around one value are no row, and nothing else in them has a name.
    const bool lone = row.empty() && in.PeekSymbol(")");
    if (!lone) {
      MERGANSER_ASSIGN_OR_RETURN(cell, ParseAliasOf(in, std::move(cell), cell_at));
      if (row.empty() && !in.PeekSymbol(",")) return in.SyntaxError();
    }
    row.push_back(WithoutAlias(cell));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return row;
}

}  // namespace

Result<plan::RelationPtr> ParseInlineTable(TokenStream& in) {
  const size_t first = in.position();
  const bool default_values = std::exchange(in.default_values, false);
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("VALUES"));
  plan::InlineTable table;
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<plan::ExpressionPtr> row, ParseRow(in, default_values));
    table.rows.push_back(std::move(row));
  } while (in.AcceptSymbol(","));
  plan::RelationPtr relation = plan::MakeRelation(std::move(table), in.OriginFrom(first));
  MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
  return WithAlias(std::move(relation), std::move(alias.name), std::move(alias.columns));
}

}  // namespace merganser
