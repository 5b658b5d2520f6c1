#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `ALTER TABLE name ...` or `ALTER VIEW name ...` at the cursor.
Result<plan::AlterTable> ParseAlter(TokenStream& in);

}  // namespace merganser
