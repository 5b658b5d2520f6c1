#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `CREATE [OR REPLACE] [[GLOBAL] TEMPORARY] VIEW` at the cursor, of a query or, for a temporary
/// view, of files (`USING parquet OPTIONS (path '...')`).
///
/// Fails with CREATE_VIEW_WITH_IF_NOT_EXISTS_AND_REPLACE, TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS.
Result<plan::CreateView> ParseCreateView(TokenStream& in);

/// `ALTER VIEW name [AS] query` at the cursor.
Result<plan::CreateView> ParseAlterViewQuery(TokenStream& in);

/// Does ALTER at the cursor give a view another query?
bool PeekAlterViewQuery(const TokenStream& in);

/// Does CREATE at the cursor make a view?
bool PeekCreateView(const TokenStream& in);

}  // namespace merganser
