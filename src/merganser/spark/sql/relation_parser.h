#pragma once

#include <optional>

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// `FROM relation, ...` with LATERAL VIEW, PIVOT and UNPIVOT behind it. Relations separated by
/// commas are joined without a condition, and a JOIN behind one of them takes all before it as its
/// left side.
Result<plan::RelationPtr> ParseFromClause(TokenStream& in);

/// `relation` under the LATERAL VIEW clauses at the cursor, if any.
Result<plan::RelationPtr> ParseLateralViews(TokenStream& in, plan::RelationPtr relation);

/// `relation` joined as the join at the cursor says; null if there is no join. `first` is the token
/// that `relation` begins with.
Result<plan::RelationPtr> ParseJoin(TokenStream& in, const plan::RelationPtr& relation,
                                    size_t first);

/// `relation` under the TABLESAMPLE at the cursor, if any.
Result<plan::RelationPtr> ParseSample(TokenStream& in, plan::RelationPtr relation);

/// `[FOR] VERSION AS OF ...` or `[FOR] TIMESTAMP AS OF ...`, if it stands at the cursor.
Result<std::optional<plan::TimeTravel>> ParseTimeTravel(TokenStream& in);

/// `relation` under its alias; the relation itself if the alias is empty.
plan::RelationPtr WithAlias(plan::RelationPtr relation, std::string name,
                            std::vector<std::string> columns = {});

}  // namespace merganser
