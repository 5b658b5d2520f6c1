#pragma once

#include <string>
#include <vector>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// An expression of any precedence: OR, AND, NOT, predicates, comparisons, arithmetic.
Result<plan::ExpressionPtr> ParseExpression(TokenStream& in);

/// The condition of a WHERE clause; null where there is none.
Result<plan::ExpressionPtr> ParseWhere(TokenStream& in);

/// An expression without OR, AND, NOT and predicates (BETWEEN, IN, LIKE, IS): what may stand
/// between the words of a predicate or of `substring(a FROM b)`.
Result<plan::ExpressionPtr> ParseValueExpression(TokenStream& in);

/// `expression [[AS] name | [AS] (a, b)]`: an Alias when there is a name.
Result<plan::ExpressionPtr> ParseNamedExpression(TokenStream& in);

/// `expression`, which begins at the token `first`, under the alias at the cursor, if there is one.
Result<plan::ExpressionPtr> ParseAliasOf(TokenStream& in, plan::ExpressionPtr expression,
                                         size_t first);

/// Named expressions separated by commas.
Result<std::vector<plan::ExpressionPtr>> ParseNamedExpressions(TokenStream& in);

/// Expressions separated by commas.
Result<std::vector<plan::ExpressionPtr>> ParseExpressions(TokenStream& in);

/// `expression [ASC | DESC] [NULLS FIRST | LAST]` separated by commas, as SortOrder expressions.
Result<std::vector<plan::ExpressionPtr>> ParseSortItems(TokenStream& in);

/// An operator or syntax form, for all parsing functions that make one.
plan::ExpressionPtr MakeOperator(std::string name, std::vector<plan::ExpressionPtr> arguments,
                                 const plan::Origin& origin);

/// The string `value` as a literal.
plan::ExpressionPtr MakeString(std::string value, const plan::Origin& origin);

/// Is the bare keyword DEFAULT at the cursor, as a whole value?
bool PeekDefaultValue(const TokenStream& in);

/// An expression, or the keyword DEFAULT as a DefaultValue.
Result<plan::ExpressionPtr> ParseExpressionOrDefault(TokenStream& in);

}  // namespace merganser
