#pragma once

#include <string>
#include <vector>

#include "merganser/spark/plan/expression.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// The call of the function `name`, whose opening parenthesis is at the cursor, with WITHIN GROUP,
/// FILTER, IGNORE NULLS and OVER behind it. `first` is the token that the name begins with.
///
/// Calls with words between their arguments become ordinary ones: `extract(f FROM x)` is
/// extract('f', x); `substring(s FROM p FOR n)`, `overlay(s PLACING r FROM p)` by position;
/// `position(a IN s)` is locate(a, s); `trim(LEADING c FROM s)` is ltrim(c, s);
/// `dateadd(DAY, n, t)` is timestampadd('DAY', n, t), `datediff(DAY, a, b)` timestampdiff.
Result<plan::ExpressionPtr> ParseCall(TokenStream& in, std::vector<std::string> name, size_t first);

/// Does a call at the cursor have a grammar of its own (CAST, STRUCT)?
bool PeekSpecialCall(const TokenStream& in);

/// The call at the cursor of which PeekSpecialCall holds.
Result<plan::ExpressionPtr> ParseSpecialCall(TokenStream& in);

/// Arguments `a, name => b` up to the closing parenthesis, which is taken too. The opening one has
/// been.
Status ParseArguments(TokenStream& in, std::vector<plan::ExpressionPtr>& arguments,
                      std::vector<std::string>& names);

}  // namespace merganser
