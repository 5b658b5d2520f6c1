#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `UPDATE table [alias] SET a = x, ... [WHERE condition]`. Fails with COLUMN_ALIASES_NOT_ALLOWED.
Result<plan::Update> ParseUpdate(TokenStream& in, plan::With with);

/// `DELETE FROM table [alias] [WHERE condition]`. Fails with COLUMN_ALIASES_NOT_ALLOWED.
Result<plan::Delete> ParseDelete(TokenStream& in, plan::With with);

/// `a = x, b.c = DEFAULT`: what SET assigns, in UPDATE and in MERGE.
Result<std::vector<plan::Assignment>> ParseAssignments(TokenStream& in);

}  // namespace merganser
