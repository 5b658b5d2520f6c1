#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// INSERT INTO or OVERWRITE with its query. The tables of `with` come to stand around the query.
Result<plan::InsertInto> ParseInsert(TokenStream& in, plan::With with);

/// `FROM relation INSERT INTO ... SELECT ...`, which gave `from`.
Result<plan::InsertInto> ParseInsertAfterFrom(TokenStream& in, plan::RelationPtr from,
                                              plan::With with);

}  // namespace merganser
