#include "merganser/spark/sql/pivot_parser.h"

#include <string>
#include <utility>
#include <vector>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/relation_parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;
using plan::RelationPtr;

Result<ExpressionPtr> ParseColumn(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseNameParts(in));
  return plan::MakeExpression(plan::Attribute{std::move(parts), -1}, in.OriginFrom(first));
}

/// `(a, b)` as columns.
Result<std::vector<ExpressionPtr>> ParseColumnList(TokenStream& in) {
  std::vector<ExpressionPtr> columns;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr column, ParseColumn(in));
    columns.push_back(std::move(column));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return columns;
}

/// `[AS] name`, empty if there is none.
Result<std::string> ParseEntryAlias(TokenStream& in) {
  if (!in.AcceptWord("AS") && (!in.PeekIdentifier() || in.PeekSymbol(",") || in.PeekSymbol(")")))
    return std::string();
  return ParseHyphenCheckedIdentifier(in);
}

Result<RelationPtr> ParseAlias(TokenStream& in, RelationPtr relation) {
  MERGANSER_ASSIGN_OR_RETURN(TableAlias alias, ParseTableAlias(in));
  return WithAlias(std::move(relation), std::move(alias.name), std::move(alias.columns));
}

}  // namespace

bool PeekPivot(const TokenStream& in) { return in.PeekWord("PIVOT") && in.PeekSymbol("(", 1); }

bool PeekUnpivot(const TokenStream& in) {
  return in.PeekWord("UNPIVOT") &&
         (in.PeekSymbol("(", 1) || in.PeekAnyWord({"INCLUDE", "EXCLUDE"}, 1));
}

Result<RelationPtr> ParsePivot(TokenStream& in, RelationPtr child, size_t first) {
  plan::Pivot pivot;
  pivot.child = std::move(child);
  in.Next();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(pivot.aggregates, ParseNamedExpressions(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("FOR"));
  if (in.PeekSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(pivot.columns, ParseColumnList(in));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr column, ParseColumn(in));
    pivot.columns.push_back(std::move(column));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("IN"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(pivot.values, ParseNamedExpressions(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return ParseAlias(in, plan::MakeRelation(std::move(pivot), in.OriginFrom(first)));
}

Result<RelationPtr> ParseUnpivot(TokenStream& in, RelationPtr child, size_t first) {
  plan::Unpivot unpivot;
  unpivot.child = std::move(child);
  in.Next();
  if (in.PeekAnyWord({"INCLUDE", "EXCLUDE"})) {
    unpivot.include_nulls = in.Next().is_word("INCLUDE");
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("NULLS"));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  const bool several = in.PeekSymbol("(");
  if (several) {
    MERGANSER_ASSIGN_OR_RETURN(unpivot.value_columns, ParseIdentifierList(in));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(std::string column, ParseIdentifier(in));
    unpivot.value_columns.push_back(std::move(column));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("FOR"));
  MERGANSER_ASSIGN_OR_RETURN(unpivot.variable_column, ParseIdentifier(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("IN"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    std::vector<ExpressionPtr> columns;
    if (several) {
      MERGANSER_ASSIGN_OR_RETURN(columns, ParseColumnList(in));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr column, ParseColumn(in));
      columns.push_back(std::move(column));
    }
    unpivot.values.push_back(std::move(columns));
    MERGANSER_ASSIGN_OR_RETURN(std::string alias, ParseEntryAlias(in));
    unpivot.value_aliases.push_back(std::move(alias));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return ParseAlias(in, plan::MakeRelation(std::move(unpivot), in.OriginFrom(first)));
}

}  // namespace merganser
