#pragma once

#include <string>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// An operand: literal, name, call, CASE, lambda, parameter, `*`, subquery or parentheses, with
/// what follows it (`.field`, `[index]`, `::type`, `:path`, COLLATE).
Result<plan::ExpressionPtr> ParsePrimary(TokenStream& in);

/// The column name that `value:path` has by itself, the last part of the path; empty for all other
/// expressions.
std::string PathColumnName(const plan::Expression& expression);

}  // namespace merganser
