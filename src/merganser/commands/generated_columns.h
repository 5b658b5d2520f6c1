#pragma once

#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// A scope in which the columns of `schema` go by their names and are known by the ids of
/// `columns`.
Scope TableScope(const StructType& schema, const std::vector<BoundColumn>& columns);

/// The expression of a generated column over `columns`, cast to the column's type ("Generated
/// Columns" in PROTOCOL.md). Fails with the errors of analysis if the stored text cannot be bound.
Result<BoundExpressionPtr> GenerationExpression(Analyzer& analyzer, const StructField& field,
                                                const Scope& scope);

/// Check the generation expressions of a table about to be defined.
///
/// Fails with UNSUPPORTED_EXPRESSION_GENERATED_COLUMN, UNRESOLVED_COLUMN.*,
/// DELTA_GENERATED_COLUMNS_EXPR_TYPE_MISMATCH and DELTA_INVALID_GENERATED_COLUMN_REFERENCES.
Status CheckGeneratedColumns(Analyzer& analyzer, const StructType& schema);

}  // namespace merganser
