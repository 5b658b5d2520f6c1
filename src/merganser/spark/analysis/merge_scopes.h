#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/analyzer.h"

namespace merganser {

/// Binds the expressions of a MERGE, each in the scope of its clause, with MERGE's own error for
/// names that are not found (spec/merge.md 3.1).
class MergeScopes {
 public:
  MergeScopes(Analyzer& analyzer, Scope target, Scope source);

  const Scope& target() const { return target_; }
  const Scope& source() const { return source_; }
  const Scope& both() const { return both_; }

  /// `clause` names the place in errors: "search condition", "UPDATE condition", "UPDATE clause",
  /// "INSERT clause", ... Fails with DELTA_MERGE_UNRESOLVED_EXPRESSION instead of
  /// UNRESOLVED_COLUMN.
  Result<BoundExpressionPtr> Bind(const plan::ExpressionPtr& expression, const Scope& scope,
                                  std::string_view clause) const;

  /// A boolean condition, null for none. Fails also with DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN.
  Result<BoundExpressionPtr> BindCondition(const plan::ExpressionPtr& condition, const Scope& scope,
                                           std::string_view clause) const;

  /// The error for `name`, which nothing in `scope` answers to.
  Error Unresolved(std::string_view name, const Scope& scope, std::string_view clause) const;

 private:
  Analyzer& analyzer_;
  Scope target_;
  Scope source_;
  Scope both_;
};

/// Conditions of MERGE must not have these, looked for in this order (spec/merge.md 2.2). `clause`
/// is "search", "UPDATE", "DELETE" or "INSERT". Fails with
/// DELTA_NON_DETERMINISTIC_FUNCTION_NOT_SUPPORTED, DELTA_AGGREGATION_NOT_SUPPORTED,
/// DELTA_UNSUPPORTED_SUBQUERY.
Status CheckMergeCondition(const BoundExpressionPtr& condition, std::string_view clause);

}  // namespace merganser
