#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/store_assignment_policy.h"
#include "merganser/spark/functions/resolve.h"
#include "merganser/spark/plan/bound_expression.h"

namespace merganser {

/// How UPDATE and MERGE put a value into a column (spec/merge.md 5 and 6.5).
struct AssignmentRules {
  StoreAssignmentPolicy policy = StoreAssignmentPolicy::kAnsi;
  /// spark.databricks.delta.updateAndMergeCastingFollowsAnsiEnabledFlag.
  bool follows_ansi_flag = false;
  /// Fields that a struct value lacks become NULL (or stay, see below) instead of an error.
  bool evolution = false;
  /// `UPDATE SET *` under evolution: fields that only the target has keep their value. Else they
  /// become NULL.
  bool preserve_target_fields = false;
  /// A NULL struct gives NULL, not a struct of NULLs (merge.preserveNullSourceStructs).
  bool null_structs_stay = true;
  /// Fields of structs are matched by name, not by position (resolveMergeUpdateStructsByName).
  bool by_name = true;
};

/// `value` as a value of `type`: atomic values by the policy's cast, structs by field name, arrays
/// and maps element by element. `column` is the name for overflow errors. `current` is the column's
/// present value, or null for an insert.
///
/// Fails with DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION, CANNOT_UP_CAST_DATATYPE (strict policy) and
/// DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION.
Result<BoundExpressionPtr> AssignValue(const BoundExpressionPtr& value, const DataType& type,
                                       const std::string& column, const BoundExpressionPtr& current,
                                       const AssignmentRules& rules, const TypingContext& typing);

/// A value to put at a path of the target: a column or a nested field.
struct FieldAssignment {
  std::vector<std::string> path;  ///< Names as the target spells them, column first.
  BoundExpressionPtr value;
  AssignmentRules rules;
};

/// The new value of a column that some of `assignments` (those whose path starts with `depth` known
/// parts) change: the whole of it, or fields inside it, the others keeping their value. `current`
/// is the present value, of `type`.
///
/// A field of a NULL struct makes the struct non-NULL. Fails as AssignValue, with
/// DELTA_UNSUPPORTED_FIELD_UPDATE_NON_STRUCT for a field of something else.
Result<BoundExpressionPtr> AssignFields(const std::vector<const FieldAssignment*>& assignments,
                                        size_t depth, const BoundExpressionPtr& current,
                                        const DataType& type, const std::string& column,
                                        const TypingContext& typing);

}  // namespace merganser
