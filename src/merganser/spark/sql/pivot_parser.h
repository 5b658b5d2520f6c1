#pragma once

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

bool PeekPivot(const TokenStream& in);
bool PeekUnpivot(const TokenStream& in);

/// `PIVOT (aggregates FOR columns IN (values)) [[AS] alias]` over `child`, which begins at the
/// token `first`. Requires PeekPivot.
Result<plan::RelationPtr> ParsePivot(TokenStream& in, plan::RelationPtr child, size_t first);

/// `UNPIVOT [INCLUDE | EXCLUDE NULLS] (...) [[AS] alias]` over `child`. Requires PeekUnpivot.
Result<plan::RelationPtr> ParseUnpivot(TokenStream& in, plan::RelationPtr child, size_t first);

}  // namespace merganser
