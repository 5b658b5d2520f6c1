#pragma once

#include <optional>

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A query with all its parts: WITH, SELECT and set operations, pipe operators, ORDER BY, LIMIT.
///
/// Clauses nest the way they are evaluated, innermost first: FROM, LATERAL VIEW, WHERE (Filter),
/// GROUP BY (Aggregate) or SELECT (Project), HAVING, QUALIFY, DISTINCT, WINDOW (NamedWindows),
/// hints, ORDER BY (Sort), WINDOW after it, LIMIT and OFFSET, WITH.
Result<plan::RelationPtr> ParseQuery(TokenStream& in);

/// `WITH [RECURSIVE] name [(columns)] [AS] (query), ...` at the cursor, without a child: what
/// stands in front of a query or of MERGE, UPDATE, DELETE and INSERT. Fails with
/// DUPLICATED_CTE_NAMES.
Result<plan::With> ParseWithClause(TokenStream& in);

/// The query behind `with`, which may have no tables and began at the token `first`.
Result<plan::RelationPtr> ParseQueryAfterWith(TokenStream& in, plan::With with, size_t first);

/// SELECT, FROM, VALUES, TABLE or a query in parentheses: the operand of UNION.
Result<plan::RelationPtr> ParseQueryPrimary(TokenStream& in);

/// `relation` under the ORDER BY, SORT BY, CLUSTER BY, WINDOW, LIMIT and OFFSET at the cursor, if
/// any. Fails with UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES.
Result<plan::RelationPtr> ParseQueryOrganization(TokenStream& in, plan::RelationPtr relation);

/// The set operation at the cursor; nullopt if there is none. Its right side is not read.
Result<std::optional<plan::SetOperation>> ParseSetOperator(TokenStream& in);

}  // namespace merganser
